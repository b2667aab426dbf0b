package guest

import (
	_ "embed"
	"strings"
)

var (
	//go:embed builtins.js
	builtins string
	//go:embed tree.js
	tree string
	//go:embed up.js
	up string
	//go:embed size.js
	size string
	//go:embed down.js
	down string
	//go:embed start.js
	start string
)

// Bridge defines LineUpSurface and starts the surface (PROTOCOL.md §4). Its files are one
// function body: builtins are captured first, and start, which runs, comes last.
var Bridge = "(function lineupGuest(config) {\n\"use strict\";\n\n" +
	strings.Join([]string{builtins, tree, up, size, down, start}, "\n") + "})\n"

// Probe tries every way out of a frame and reports (SANDBOX.md §1).
//
//go:embed probe.js
var Probe string

// Style is the base style, of no specificity so that any rule of a surface wins.
//
//go:embed style.css
var Style string
