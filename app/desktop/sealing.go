//go:build !lineup_unsealed

package desktop

// sealing is true in every binary that is shipped.
const sealing = true
