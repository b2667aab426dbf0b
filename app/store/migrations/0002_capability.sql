-- Calls of agents, grants, and the audit log. Nothing here refers to a
-- conversation by foreign key: a purged conversation must not make a call
-- runnable again, nor take a line out of the log.

-- n is the order of arrival.
CREATE TABLE call (
	n            INTEGER PRIMARY KEY AUTOINCREMENT,
	agent_id     TEXT NOT NULL,
	call_id      TEXT NOT NULL,
	conv         TEXT NOT NULL,
	capability   TEXT NOT NULL,
	reason       TEXT NOT NULL,
	expires_at   INTEGER NOT NULL,
	requested_at INTEGER NOT NULL,
	args         BLOB,             -- canonical JSON; NULL = could not be read
	hash         TEXT NOT NULL,    -- of capability and arguments
	phase        TEXT NOT NULL CHECK (phase IN ('pending', 'executing', 'settled')),
	changed_at   INTEGER NOT NULL,
	status       TEXT NOT NULL DEFAULT '',
	value        BLOB,
	code         TEXT NOT NULL DEFAULT '',
	message      TEXT NOT NULL DEFAULT '',
	reported     INTEGER NOT NULL DEFAULT 0,
	UNIQUE (agent_id, call_id)
) STRICT;
CREATE INDEX call_unfinished ON call(n) WHERE reported = 0;

CREATE TABLE capability_grant (
	id           TEXT PRIMARY KEY,
	agent_id     TEXT NOT NULL,
	fingerprint  TEXT NOT NULL,   -- of the host's record of the agent
	capability   TEXT NOT NULL,
	scope        TEXT NOT NULL,
	duration     TEXT NOT NULL CHECK (duration IN ('conversation', 'always')),
	conv         TEXT NOT NULL,
	effect       TEXT NOT NULL,
	rules        TEXT NOT NULL,   -- JSON object: language → the rule as it was spelled out
	created_at   INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX capability_grant_scope ON capability_grant(agent_id, capability, scope);

-- at is in whole milliseconds: it is hashed. n is the order over all chains.
CREATE TABLE audit (
	n          INTEGER PRIMARY KEY AUTOINCREMENT,
	chain      TEXT NOT NULL,    -- an agent's id; '' = the host's own
	seq        INTEGER NOT NULL,
	at         INTEGER NOT NULL,
	event      TEXT NOT NULL,
	call_id    TEXT NOT NULL,
	conv       TEXT NOT NULL,
	capability TEXT NOT NULL,
	decision   TEXT NOT NULL,
	code       TEXT NOT NULL,
	summary    TEXT NOT NULL,
	prev       TEXT NOT NULL,
	hash       TEXT NOT NULL,
	UNIQUE (chain, seq)
) STRICT;
-- Against our own mistakes; who can write the file can drop these, and then the chain shows it.
CREATE TRIGGER audit_append_only_update BEFORE UPDATE ON audit BEGIN
	SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_append_only_delete BEFORE DELETE ON audit BEGIN
	SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TABLE audit_head (
	chain TEXT PRIMARY KEY,
	seq   INTEGER NOT NULL,
	hash  TEXT NOT NULL,
	mac   BLOB NOT NULL
) STRICT, WITHOUT ROWID;
