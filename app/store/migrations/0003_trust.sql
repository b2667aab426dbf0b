-- Publishers whose signed interfaces the user trusts.
CREATE TABLE publisher_key (
	key      TEXT PRIMARY KEY,     -- minisign's one line of base64
	name     TEXT NOT NULL UNIQUE, -- the user's own word for it
	added_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Interfaces that an agent may show without asking, by the digest of the bundle.
CREATE TABLE allowed_bundle (
	agent_id    TEXT NOT NULL,
	digest      TEXT NOT NULL,
	fingerprint TEXT NOT NULL, -- of the agent's record then; another one voids it
	app_id      TEXT NOT NULL, -- what it called itself then
	name        TEXT NOT NULL,
	added_at    INTEGER NOT NULL,
	PRIMARY KEY (agent_id, digest)
) STRICT, WITHOUT ROWID;
