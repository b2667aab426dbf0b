//go:build lineup_weak

package weak

import (
	"os"
	"strings"
)

// Env names the defences that are off, separated by commas.
const Env = "LINEUP_WEAKEN"

var (
	names = strings.FieldsFunc(os.Getenv(Env), func(c rune) bool { return c == ',' })
	known = map[string]bool{}
)

func off(name string) bool {
	known[name] = true
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// See off.go for what each takes away.
var (
	Channel = off("channel")
	Links   = off("links")
	Proxy   = off("proxy")
	Guard   = off("guard")

	PageFrameSrc = off("page-frame-src")
	OneTimeURL   = off("one-time-url")
	HostCheck    = off("host-check")
	OriginCheck  = off("origin-check")
	Ticket       = off("ticket")

	FrameCSP     = off("frame-csp")
	FrameSandbox = off("frame-sandbox")
	FrameHeaders = off("frame-headers")

	UplinkShape = off("uplink-shape")
	EventName   = off("event-name")
	EventData   = off("event-data")
	EventSize   = off("event-size")
	CloseEvent  = off("close-event")
	Declared    = off("declared")
	Rate        = off("rate")

	Verdict = off("verdict")
)

// A name that is not there would make a test pass that tests nothing.
func init() {
	for _, n := range names {
		if !known[n] {
			panic(Env + ": no such defence: " + n)
		}
	}
}
