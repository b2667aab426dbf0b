// Package doctor answers one question about this system: may surfaces be shown
// here, and if not, what is in the way (SANDBOX.md §1). It is what `lineup
// doctor` prints.
//
// Who may call: package app, which hands everything that needs other packages in
// as functions (Inputs); doctor imports none of them. Run blocks until all
// checks are done; each has its own time limit, and a function that outlives it
// is left behind and counts as failed. Checks are reported in a fixed order.
//
// A nil function in Inputs means that this build cannot do what is checked: the
// check fails (Probe, OpenStore) or warns (Keyring). The zero Report allows
// nothing.
package doctor
