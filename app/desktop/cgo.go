//go:build desktop && linux && cgo

package desktop

// #cgo pkg-config: gtk+-3.0 webkit2gtk-4.1
// #cgo CFLAGS: -Wall -Wextra -Wno-cast-function-type -Wno-unused-parameter
import "C"
