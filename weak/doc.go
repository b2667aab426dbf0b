// Package weak is how a test sees that it can fail: a test-only binary (build tag
// lineup_weak) switches single defences off, by name, at its start. Each switch
// stands beside the defence it removes.
//
// In every other build all switches are constants and false: the compiler drops
// what they guard, and no environment, flag or file brings it back.
//
// Every package may import this one; it imports nothing of ours.
package weak
