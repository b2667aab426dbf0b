package surface

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"

	"lineup/surface/guest"
)

// ProbeNamespace marks the report of the start-up probe.
const ProbeNamespace = "lineup.probe.v1"

// ProbeTimeoutMS is how long a page may wait for the report before it counts
// as failed; the probe itself ends within 3 s.
const ProbeTimeoutMS = 5000

// probeAttempts is every attempt the probe makes. A report that lacks one, or
// has another, is refused: what was not tried is not known to hold.
var probeAttempts = []string{
	"native.handler", "native.handler.srcdoc", "native.handler.blank",
	"native.webview2", "native.webview2.srcdoc",
	"native.objects",
	"host.fetch", "host.fetch_no_cors", "host.image", "host.script",
	"host.socket",
	"canary.fetch", "canary.image", "canary.beacon",
	"host.document", "host.name", "host.frames",
	"storage.local", "storage.session", "storage.cookie", "storage.indexeddb",
	"navigate.popup", "navigate.nested",
}

// ProbeAttempts is the names of all attempts, for showing what was checked.
func ProbeAttempts() []string { return slices.Clone(probeAttempts) }

// ProbeIn is what the probe is built from. The probe's document has the very
// headers of a surface's.
//
// Not everything can be seen from inside: an open message handler swallows what
// it gets, and a request may go out without an answer. So the one who
// starts the probe also watches CanaryURL (any connection there is a leak) and the
// native message log for Nonce. After its report the probe navigates itself to
// CanaryURL, which only the host page's frame-src stops: wait a moment for
// the canary before believing the report.
type ProbeIn struct {
	Nonce      string // [A-Za-z0-9_-]{16,128}, fresh for each probe
	HostOrigin string // of the page, as fetch would name it
	UIURL      string // ws:// address of the UI socket
	CanaryURL  string // http:// address of another port than host and surfaces
	Ancestors  []string
}

// BuildProbe makes the probe's document and headers.
func BuildProbe(in ProbeIn) ([]byte, http.Header) {
	config := map[string]any{
		"namespace": ProbeNamespace, "nonce": in.Nonce, "hostOrigin": in.HostOrigin,
		"uiURL": in.UIURL, "canaryURL": in.CanaryURL, "attempts": probeAttempts,
	}
	return page(Frame{}, "", "", guest.Probe, config), headers(in.Ancestors)
}

// Attempt is one way out that the probe tried.
type Attempt struct {
	Name       string
	GotThrough bool
}

// ProbeReport is what the probe saw. Attempts holds each of ProbeAttempts once.
type ProbeReport struct {
	Nonce    string
	Attempts []Attempt
}

// Leaks names the attempts that got through.
func (r ProbeReport) Leaks() []string {
	var names []string
	for _, a := range r.Attempts {
		if a.GotThrough {
			names = append(names, a.Name)
		}
	}
	return names
}

var noncePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{16,128}$`)

// DecodeProbeReport decodes the JSON string the probe sent through its port.
// The caller compares Nonce with the one it issued.
func DecodeProbeReport(raw string) (ProbeReport, error) {
	if len(raw) > 16<<10 {
		return ProbeReport{}, refuse(CodeBadReport, "", "at most 16 KiB")
	}
	if p := scanObject([]byte(raw), 4); p != "" {
		return ProbeReport{}, refuse(CodeBadReport, "", string(p))
	}
	var w struct {
		Namespace string `json:"namespace"`
		Nonce     string `json:"nonce"`
		Attempts  []struct {
			Name       string `json:"name"`
			GotThrough *bool  `json:"got_through"`
		} `json:"attempts"`
	}
	if err := json.Unmarshal([]byte(raw), &w); err != nil || w.Namespace != ProbeNamespace {
		return ProbeReport{}, refuse(CodeBadReport, "namespace", "a report in "+ProbeNamespace)
	}
	if !noncePattern.MatchString(w.Nonce) {
		return ProbeReport{}, refuse(CodeBadReport, "nonce", "the probe's own nonce")
	}
	r := ProbeReport{Nonce: w.Nonce}
	missing := slices.Clone(probeAttempts)
	for _, a := range w.Attempts {
		i := slices.Index(missing, a.Name)
		if i < 0 || a.GotThrough == nil {
			return ProbeReport{}, refuse(CodeBadReport, "attempts", "each known attempt once, with its outcome")
		}
		missing = slices.Delete(missing, i, i+1)
		r.Attempts = append(r.Attempts, Attempt{Name: a.Name, GotThrough: *a.GotThrough})
	}
	if len(missing) > 0 {
		return ProbeReport{}, refuse(CodeBadReport, "attempts", "every attempt")
	}
	return r, nil
}
