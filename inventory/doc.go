// Package inventory says what each agent may ask this host for, and since when
// (PROTOCOL.md §6): the standard components, the enabled apps and the
// capabilities that policy lets it know.
//
// Compose is pure: the same input gives the same bytes. A Tracker gives each
// content its revision "catalog-N", tells of changes at most every 250 ms, and
// knows what the latest revision of an agent has, which is what calls and
// surfaces are judged by. An inventory carries no bundle, no path, no install
// source, no login state and no user content: Content has no field for one.
//
// Who may call: the application. A Tracker's methods may be called concurrently.
//
// What blocks: Current and Refresh block for the store; Visible and Known block
// for one read of it, and only for what the latest revision has not. OnChange is
// called one at a time, in the order of revisions, while a Refresh waits for it:
// it may call Visible and Known, not Current or Refresh.
//
// What order holds: a name is in the store as known before the revision that has
// it is handed out. So "revoked" is never said for "unsupported" or the other
// way round, across restarts too.
//
// What nil and zero mean: an agent that nobody composed for has nothing; what
// the store cannot tell is unknown.
package inventory
