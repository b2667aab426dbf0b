// Package capabilitytest has what tests of and around package capability share:
// the contracts that every Ledger, Grants and Audit must hold, an implementation
// in memory, a clock that is moved by hand, and a ledger that dies after a given
// commit. Only tests import it.
//
// Everything here may be used from many goroutines; nothing blocks, except that
// Clock.Advance runs what is due before it returns. The zero Clock stands at
// 2026-01-01.
package capabilitytest
