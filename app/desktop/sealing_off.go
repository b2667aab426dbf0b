//go:build lineup_unsealed

package desktop

// sealing is off in this test-only build: Wails' channel, the network and
// navigation stay open, so that the hostile tests can be seen to fail.
const sealing = false
