package app

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"aead.dev/minisign"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"lineup/surface"
)

func keygenCommand() *cobra.Command {
	var name string
	var open bool
	cmd := &cobra.Command{
		Use: "keygen", Short: "Make a key pair to sign with", Args: cobra.NoArgs,
		Long: "keygen writes NAME.key, the private key, which only you can read, and NAME.pub, which you publish. Both are\n" +
			"minisign's. Neither is ever overwritten.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			key, pub := name+".key", name+".pub"
			for _, file := range []string{key, pub} { // before a password is asked for
				if _, err := os.Lstat(file); err == nil {
					return &exit{exitUntried, bundleSay("exists", file)}
				}
			}
			public, private, err := minisign.GenerateKey(nil)
			if err != nil {
				return err
			}
			text, err := sealed(cmd, private, open)
			if err != nil {
				return err
			}
			if err := newFile(key, text, 0o600); err != nil {
				return err
			}
			words, err := public.MarshalText()
			if err != nil {
				return err
			}
			if err := newFile(pub, append(words, '\n'), 0o644); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), bundleSay("made", key, pub, public.String()))
			return nil
		},
	}
	cmd.Flags().StringVarP(&name, "output", "o", "publisher", "write `NAME`.key and NAME.pub")
	cmd.Flags().BoolVar(&open, "no-password", false, "do not protect the private key with a password")
	return cmd
}

// sealed is the private key's file, protected by a password unless open.
func sealed(cmd *cobra.Command, key minisign.PrivateKey, open bool) ([]byte, error) {
	if open {
		text, err := key.MarshalText()
		return append(text, '\n'), err
	}
	word, err := password(cmd, "new_password", "again")
	if err != nil {
		return nil, err
	}
	text, err := minisign.EncryptKey(word, key)
	return append(text, '\n'), err
}

// privateKey reads a private key and asks for its password if it has one.
func privateKey(cmd *cobra.Command, file string) (minisign.PrivateKey, surface.PublicKey, error) {
	var key minisign.PrivateKey
	fail := func(code string) (minisign.PrivateKey, surface.PublicKey, error) {
		return key, surface.PublicKey{}, &exit{exitUntried, bundleSay(code, file)}
	}
	raw, err := readSmall(file)
	if err != nil {
		return key, surface.PublicKey{}, err
	}
	if minisign.IsEncrypted(raw) {
		word, err := password(cmd, "password")
		if err != nil {
			return key, surface.PublicKey{}, err
		}
		if key, err = minisign.DecryptKey(word, raw); err != nil {
			return fail("wrong_password")
		}
	} else if key.UnmarshalText(raw) != nil {
		return fail("not_private")
	}
	pub, ok := key.Public().(minisign.PublicKey)
	if !ok {
		return fail("not_private")
	}
	public, err := surface.ParsePublicKey(pub.String())
	if err != nil {
		return fail("not_private")
	}
	return key, public, nil
}

// publicKey takes a public key as it is, or the file that holds one.
func publicKey(arg string) (surface.PublicKey, error) {
	if key, err := surface.ParsePublicKey(arg); err == nil {
		return key, nil
	}
	raw, err := readSmall(arg)
	if err != nil {
		return surface.PublicKey{}, err
	}
	key, err := surface.ParsePublicKey(string(raw))
	if err != nil {
		return key, &exit{exitUntried, bundleSay("not_public", arg)}
	}
	return key, nil
}

// password asks at the terminal, once for each prompt, and wants the same each
// time; without a terminal it is the first line of the standard input.
func password(cmd *cobra.Command, prompts ...string) (string, error) {
	fail := func(code string) (string, error) { return "", &exit{exitUntried, bundleSay(code)} }
	in := cmd.InOrStdin()
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		var word string
		for i, prompt := range prompts {
			fmt.Fprint(cmd.ErrOrStderr(), bundleSay(prompt)+" ")
			raw, err := term.ReadPassword(int(f.Fd()))
			fmt.Fprintln(cmd.ErrOrStderr())
			if err != nil {
				return fail("no_password")
			}
			if i > 0 && string(raw) != word {
				return fail("differ")
			}
			word = string(raw)
		}
		if word == "" {
			return fail("no_password")
		}
		return word, nil
	}
	line, err := bufio.NewReader(io.LimitReader(in, maxSmall)).ReadString('\n')
	word := strings.TrimRight(line, "\r\n")
	if (err != nil && !errors.Is(err, io.EOF)) || word == "" {
		return fail("no_password")
	}
	return word, nil
}

// newFile writes a file that is not there yet.
func newFile(path string, data []byte, mode fs.FileMode) error {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return &exit{exitUntried, bundleSay("exists", path)}
	}
	if err == nil {
		_, err = out.Write(data)
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return &exit{exitUntried, bundleSay("unwritable", path, err.Error())}
	}
	return nil
}
