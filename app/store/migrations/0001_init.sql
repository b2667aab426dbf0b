-- Times are microseconds since 1970, 0 = unset. Ids are the wire's own.

CREATE TABLE agent (
	id         TEXT PRIMARY KEY,
	name       TEXT NOT NULL,
	url        TEXT NOT NULL,
	demo       INTEGER NOT NULL,
	wire_id    TEXT NOT NULL,   -- sender.id, learned at the first ready; '' = not yet
	version    TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	deleted_at INTEGER          -- its conversations stay readable
) STRICT;

-- last_seq, last_in, last_out, sent_seq and processed_seq are log.seq values, 0 = none.
-- They repeat what the log says so that lists, resume points and the queue cost what
-- they show and not what exists.
CREATE TABLE conversation (
	id            TEXT PRIMARY KEY,
	agent_id      TEXT NOT NULL REFERENCES agent(id),
	title         TEXT NOT NULL,
	pinned        INTEGER NOT NULL,
	draft         TEXT NOT NULL,
	preview       TEXT NOT NULL,
	created_at    INTEGER NOT NULL,
	updated_at    INTEGER NOT NULL,
	deleted_at    INTEGER,
	held          INTEGER NOT NULL DEFAULT 0, -- deleted with unsent entries: nothing goes out
	read_seq      INTEGER NOT NULL DEFAULT 0,
	last_seq      INTEGER NOT NULL DEFAULT 0,
	last_in       INTEGER NOT NULL DEFAULT 0,
	last_out      INTEGER NOT NULL DEFAULT 0,
	sent_seq      INTEGER NOT NULL DEFAULT 0,
	processed_seq INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX conversation_agent ON conversation(agent_id, last_seq);
CREATE INDEX conversation_unsent ON conversation(agent_id) WHERE last_out > sent_seq;
CREATE INDEX conversation_deleted ON conversation(deleted_at) WHERE deleted_at IS NOT NULL;

-- AUTOINCREMENT: a seq is never given twice, also not after a purge.
CREATE TABLE log (
	seq      INTEGER PRIMARY KEY AUTOINCREMENT,
	conv     TEXT NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
	agent_id TEXT NOT NULL,    -- as in conversation, where it never changes
	dir      INTEGER NOT NULL, -- 0 in, 1 out, 2 local
	id       TEXT NOT NULL,
	at       INTEGER NOT NULL,
	extra    INTEGER NOT NULL, -- 1: body has top-level fields of the peer's own
	body     BLOB NOT NULL,    -- the envelope, JSON
	UNIQUE (conv, dir, id)
) STRICT;
CREATE INDEX log_conv ON log(conv, seq);
CREATE INDEX log_queue ON log(conv, seq) WHERE dir = 1;
CREATE INDEX log_out ON log(agent_id, seq) WHERE dir = 1;

CREATE TABLE setting (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE fact (
	conv  TEXT NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
	key   TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (conv, key)
) STRICT, WITHOUT ROWID;

-- The latest revision of each agent; AUTOINCREMENT remembers the numbers of those replaced.
CREATE TABLE revision (
	n        INTEGER PRIMARY KEY AUTOINCREMENT,
	agent_id TEXT NOT NULL UNIQUE,
	hash     BLOB NOT NULL -- SHA-256 of the content
) STRICT;

-- Every name that any revision of an agent ever had.
CREATE TABLE known (
	agent_id TEXT NOT NULL,
	kind     TEXT NOT NULL,
	name     TEXT NOT NULL,
	PRIMARY KEY (agent_id, kind, name)
) STRICT, WITHOUT ROWID;

-- What can be searched: messages with id > 0, titles with item_id '' and id < 0.
CREATE TABLE doc (
	id      INTEGER PRIMARY KEY,
	conv    TEXT NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
	item_id TEXT NOT NULL,
	text    TEXT NOT NULL,
	at      INTEGER NOT NULL,
	UNIQUE (conv, item_id)
) STRICT;
-- Trigrams find parts of words and need no word boundaries, which Chinese has not.
CREATE VIRTUAL TABLE search USING fts5(text, content = 'doc', content_rowid = 'id', tokenize = 'trigram');
CREATE TRIGGER doc_insert AFTER INSERT ON doc BEGIN
	INSERT INTO search(rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER doc_delete AFTER DELETE ON doc BEGIN
	INSERT INTO search(search, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE TRIGGER doc_update AFTER UPDATE OF text ON doc BEGIN
	INSERT INTO search(search, rowid, text) VALUES ('delete', old.id, old.text);
	INSERT INTO search(rowid, text) VALUES (new.id, new.text);
END;

CREATE TABLE blob (
	hash BLOB PRIMARY KEY, -- SHA-256 of data
	data BLOB NOT NULL
) STRICT;

CREATE TABLE artifact (
	conv       TEXT NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
	id         TEXT NOT NULL,
	agent_id   TEXT NOT NULL,
	name       TEXT NOT NULL,
	mime       TEXT NOT NULL,
	size       INTEGER NOT NULL, -- bytes
	hash       BLOB NOT NULL REFERENCES blob(hash),
	created_at INTEGER NOT NULL,
	PRIMARY KEY (conv, id)
) STRICT;
CREATE INDEX artifact_hash ON artifact(hash);
