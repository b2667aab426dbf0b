package artifact

import (
	"errors"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxName is the longest name in bytes. File systems take 255; the rest is for
// " (999)" and for the temporary name.
const maxName = 200

var errName = errors.New("name: expected a file name without folders")

// safeName returns the name under which a file is saved: one that Windows, macOS
// and Linux all take as the plain name of a visible file. Folders are refused,
// all else that is odd is changed.
func safeName(s string) (string, error) {
	if !utf8.ValidString(s) || strings.ContainsAny(s, `/\`) || strings.ContainsRune(s, 0) {
		return "", errName
	}
	s = norm.NFC.String(s)
	s = strings.Map(func(r rune) rune {
		// IsPrint leaves out control, bidi and invisible characters. The list
		// is what Windows refuses; ':' would name a stream.
		if r != ' ' && !unicode.IsPrint(r) || strings.ContainsRune(`<>:"|?*`, r) {
			return '_'
		}
		return r
	}, s)
	s = strings.TrimRight(strings.TrimSpace(s), ". ") // Windows drops these, so two names would be one
	s = shorten(s)
	if strings.Trim(s, "._-~ ") == "" {
		return "", errName
	}
	if s[0] == '.' || s[0] == '-' || s[0] == '~' {
		s = "_" + s[1:] // hidden, an option, a home
	}
	if reserved(s) {
		s = "_" + s
	}
	return s, nil
}

// shorten cuts the stem and keeps the extension.
func shorten(s string) string {
	if len(s) <= maxName {
		return s
	}
	stem, ext := split(s)
	if len(ext) > 20 {
		stem, ext = s, ""
	}
	n := maxName - len(ext)
	for !utf8.RuneStart(stem[n]) {
		n--
	}
	return strings.TrimRight(stem[:n], ". ") + ext
}

// split returns stem and extension; of .tar.gz and the like both parts.
func split(s string) (stem, ext string) {
	ext = path.Ext(s)
	stem = s[:len(s)-len(ext)]
	if strings.HasSuffix(strings.ToLower(stem), ".tar") {
		ext = stem[len(stem)-4:] + ext
		stem = stem[:len(stem)-4]
	}
	if stem == "" {
		return s, ""
	}
	return stem, ext
}

// reserved tells whether Windows takes the name for a device, or a desktop for
// a folder's settings.
func reserved(s string) bool {
	low := strings.ToLower(s)
	switch low {
	case "desktop.ini", "autorun.inf", "thumbs.db", "folder.htt":
		return true
	}
	stem, _, _ := strings.Cut(low, ".")
	stem = strings.TrimRight(stem, " ")
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	for _, port := range []string{"com", "lpt"} {
		if d, ok := strings.CutPrefix(stem, port); ok && utf8.RuneCountInString(d) == 1 && strings.Contains("0123456789¹²³", d) {
			return true
		}
	}
	return false
}

// runs tells whether a file of this name runs when a person opens it, on any
// system: a file may be carried on.
func runs(name string) bool {
	return executable[strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))]
}

var executable = func() map[string]bool {
	m := map[string]bool{}
	for _, e := range strings.Fields(`exe com scr pif bat cmd msi msp msix appx ps1 psm1 vbs vbe js jse mjs wsf wsh hta cpl dll lnk url reg inf scf
		jar app command workflow pkg dmg action terminal webloc desktop sh bash zsh fish csh run bin appimage deb rpm flatpakref snap py pyw pl rb php
		docm xlsm pptm dotm xltm html htm xhtml svg chm iso img vhd vhdx application gadget lineupapp`) {
		m[e] = true
	}
	return m
}()
