//go:build !lineup_driver

package app

// startBench does nothing: what benchmarks need is in test builds only.
func (c *core) startBench() {}
