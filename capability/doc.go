// Package capability decides whether an agent's request to act on this machine
// may run, runs it at most once, and remembers what was decided (PROTOCOL.md §5).
//
// It knows no capability by name: a Provider brings its schemas, its words and
// its effect. It knows no transport, no SQL and no screen: a Ledger stores, the
// application shows Prompts and calls Decide.
//
// Who may call: the application. Providers and the Ledger never call the Broker.
//
// What blocks: Submit, Withdraw, CancelConversation, Revoke, Decide and Resume
// block for the ledger's commits, never for a person or a provider. Close waits
// a bounded time for running providers.
//
// What order holds: for one call every commit precedes the effect it allows, and
// OnState(pending), OnState(executing), OnState(settled), OnResult come in this
// order. All callbacks are made one at a time from one goroutine of the Broker,
// holding no lock: they may call the Broker. OnPromptsChanged may stand for many
// changes. OnResult is at least once for each settled call: it is repeated by
// Resume when it returned an error or the process died before it returned.
//
// What nil and zero mean: what is unset asks or refuses. No Visible: every
// capability is unknown. No Identify: nothing is remembered. No IdentityCheck:
// restricted capabilities are refused. A zero Effect has no opinion, and then the
// user is asked. A zero ExpiresAt never expires.
//
// Argument bytes are made canonical once, stored, and from then on the stored
// bytes are what is checked, shown and run.
package capability
