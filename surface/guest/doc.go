// Package guest holds the scripts and the style that run inside a frame, as
// plain text: Bridge in every surface, Probe in the start-up probe, Style as
// the lowest layer of every surface's look. Only package surface reads it.
//
// Bridge and Probe are each one function expression that takes a
// configuration; the caller appends "(" JSON ")". They are plain JavaScript
// without dependencies, because they run before hostile code in its own realm
// and have to be read in one sitting. Nothing in them is trusted by the host:
// they are a convenience for good surfaces, the checks are in Go.
//
// Nothing blocks, there is no state, and there are no zero values to speak of.
package guest
