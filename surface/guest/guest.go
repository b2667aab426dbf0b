package guest

import _ "embed"

// Bridge defines LineUpSurface and starts the surface (PROTOCOL.md §4).
//
//go:embed bridge.js
var Bridge string

// Probe tries every way out of a frame and reports (SANDBOX.md §1).
//
//go:embed probe.js
var Probe string

// Style is the base style, of no specificity so that any rule of a surface wins.
//
//go:embed style.css
var Style string
