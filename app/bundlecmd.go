package app

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"lineup/capability/plain"
	"lineup/surface"
)

// Exit codes of `lineup bundle`: 0 it is done, or everything that was asked
// holds; exitRefused the bundle or its signature is refused; exitUntried it
// could not be tried: no such file, a wrong password, wrong arguments.
const (
	exitRefused = 1
	exitUntried = 2
)

// exit is an error with an exit code of its own; its text is ready for people.
type exit struct {
	code int
	text string
}

func (e *exit) Error() string { return e.text }

// bundleCommand is what an author does with an interface's files.
func bundleCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "bundle", Short: "Pack, sign and verify interfaces", Args: cobra.NoArgs,
		Long: "bundle works on an interface's folder (surface.json, index.html, style.css, script.js) and on its packed form (bundle.json).\n" +
			"Keys and signatures are minisign's.\n\n" +
			"Exit codes: 0 done, or everything that was asked holds; 1 the bundle or its signature is refused; 2 it could not be tried.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(packCommand(), signCommand(), verifyCommand(), hashCommand(), keygenCommand())
	for _, c := range append(cmd.Commands(), cmd) {
		c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage(err) })
		args := c.Args
		c.Args = func(cmd *cobra.Command, given []string) error { return usage(args(cmd, given)) }
	}
	return cmd
}

func usage(err error) error {
	if err == nil {
		return nil
	}
	return &exit{exitUntried, bundleSay("usage", err.Error())}
}

func packCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "pack DIR", Short: "Make one bundle.json of a folder", Args: cobra.ExactArgs(1),
		Long: "pack reads a folder strictly, says what in it would be blank, blocked or ignored, and writes the packed bundle with its digest.",
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := loadFolder(args[0])
			if err != nil {
				return err
			}
			bad := false
			for _, f := range surface.Lint(b) {
				fmt.Fprintln(cmd.ErrOrStderr(), findingText(args[0], f))
				bad = bad || f.Severity == surface.LintError
			}
			if bad {
				return &exit{exitRefused, bundleSay("not_packed")}
			}
			raw, err := surface.PackBundle(b)
			if err != nil {
				return refusedBundle(args[0], err)
			}
			if out == "" {
				_, err = cmd.OutOrStdout().Write(raw)
				return err
			}
			if err := replaceFile(out, raw); err != nil {
				return err
			}
			fmt.Fprintln(cmd.ErrOrStderr(), bundleSay("packed", out, b.Integrity))
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to this `FILE` instead of the standard output")
	return cmd
}

func signCommand() *cobra.Command {
	var key, attach, pub string
	cmd := &cobra.Command{
		Use: "sign -k KEY bundle.json", Short: "Sign a packed bundle", Args: cobra.ExactArgs(1),
		Long: "sign puts a minisign signature into a packed bundle, in place. With --attach it takes one that minisign made of\n" +
			"the text that `lineup bundle hash --statement` prints.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if (key == "") == (attach == "") || (pub != "" && attach == "") {
				return &exit{exitUntried, bundleSay("sign_how")}
			}
			b, err := loadPacked(args[0])
			if err != nil {
				return err
			}
			var by surface.PublicKey
			if attach != "" {
				b.Signature, err = attached(b, attach, pub)
			} else {
				b.Signature, by, err = signWith(cmd, b, key)
			}
			if err != nil {
				return err
			}
			raw, err := surface.PackBundle(b)
			if err != nil {
				return refusedBundle(args[0], err)
			}
			if err := replaceFile(args[0], raw); err != nil {
				return err
			}
			id := surface.SignatureKeyID(b.Signature)
			if attach != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), bundleSay("attached", args[0], id))
			} else {
				fmt.Fprintln(cmd.ErrOrStderr(), bundleSay("signed", args[0], id, by.String()))
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&key, "key", "k", "", "sign with the private key in this `FILE`; its password is asked, or read from the standard input")
	cmd.Flags().StringVar(&attach, "attach", "", "put the signature in this `FILE` into the bundle")
	cmd.Flags().StringVarP(&pub, "pubkey", "p", "", "with --attach: only if it is by this `KEY`, a public key or its file")
	return cmd
}

// signWith signs and looks at the result as a host would: a damaged key file
// gives signatures that nobody can verify.
func signWith(cmd *cobra.Command, b surface.Bundle, file string) (string, surface.PublicKey, error) {
	priv, pub, err := privateKey(cmd, file)
	if err != nil {
		return "", pub, err
	}
	signature, err := surface.Sign(b.App, priv, time.Now())
	if err != nil {
		return "", pub, refusedBundle("", err)
	}
	b.App.Signature = signature
	if state, _ := surface.CheckSignature(b.App, []surface.PublicKey{pub}); state != surface.SignatureGood {
		return "", pub, &exit{exitUntried, bundleSay("key_bad", file)}
	}
	return signature, pub, nil
}

// attached reads a signature that was made elsewhere.
func attached(b surface.Bundle, file, pub string) (string, error) {
	raw, err := readSmall(file)
	if err != nil {
		return "", err
	}
	b.App.Signature = string(raw)
	var keys []surface.PublicKey
	if pub != "" {
		key, err := publicKey(pub)
		if err != nil {
			return "", err
		}
		keys = append(keys, key)
	}
	state, _ := surface.CheckSignature(b.App, keys)
	if len(raw) == 0 || state == surface.SignatureBad || (pub != "" && state != surface.SignatureGood) {
		return "", &exit{exitRefused, bundleSay("attach_bad", file)}
	}
	return string(raw), nil
}

func verifyCommand() *cobra.Command {
	var pub string
	cmd := &cobra.Command{
		Use: "verify [-p KEY] bundle.json", Short: "Check a packed bundle's form, digest and signature", Args: cobra.ExactArgs(1),
		Long: "verify checks a packed bundle's form and digest and, with -p, that the publisher's key signed it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			var keys []surface.PublicKey
			if pub != "" {
				key, err := publicKey(pub)
				if err != nil {
					return err
				}
				keys = append(keys, key)
			}
			b, err := loadPacked(args[0])
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			name, _, _ := plain.Show(b.Name)
			fmt.Fprintf(out, "%s %s %s\n%s\n", name, b.ID, b.Version, bundleSay("digest", b.Integrity))
			id := surface.SignatureKeyID(b.Signature)
			switch state, _ := surface.CheckSignature(b.App, keys); {
			case state == surface.SignatureBad:
				return &exit{exitRefused, bundleSay("bad_signature", args[0])}
			case state == surface.SignatureGood:
				fmt.Fprintln(out, bundleSay("good_signature", id))
			case pub != "" && state == surface.SignatureNone:
				return &exit{exitRefused, bundleSay("no_signature_want", args[0])}
			case pub != "":
				return &exit{exitRefused, bundleSay("other_key", args[0], id)}
			case state == surface.SignatureNone:
				fmt.Fprintln(out, bundleSay("no_signature"))
			default:
				fmt.Fprintln(out, bundleSay("unchecked", id))
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&pub, "pubkey", "p", "", "the publisher's public `KEY`, or its file")
	return cmd
}

func hashCommand() *cobra.Command {
	var statement bool
	cmd := &cobra.Command{
		Use: "hash DIR|bundle.json", Short: "Print a bundle's digest", Args: cobra.ExactArgs(1),
		Long: "hash prints the digest that stands in integrity and in allowlists; with --statement the text that a signature signs.",
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := loadEither(args[0])
			if err != nil {
				return err
			}
			text := []byte(b.Integrity + "\n")
			if statement {
				if text, err = surface.Statement(b.App); err != nil {
					return refusedBundle(args[0], err)
				}
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
	cmd.Flags().BoolVar(&statement, "statement", false, "print the text that a signature signs")
	return cmd
}

// exitCodeOf is the exit code of an error of any command.
func exitCodeOf(err error) int {
	var e *exit
	if errors.As(err, &e) {
		return e.code
	}
	return 1
}
