/**
 * The tables of `workflows.db`. Decisions, tokens, due times and claims have an index each, so that they cost
 * the same with ten open gates and with ten thousand.
 */
export const workflowSchema = [
  `
CREATE TABLE definitions (hash TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE runs (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, definition TEXT NOT NULL, key TEXT UNIQUE,
  status TEXT NOT NULL, created INTEGER NOT NULL, wake INTEGER, owner TEXT,
  seq INTEGER NOT NULL, head TEXT NOT NULL, broken INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX runs_by_status ON runs (status, number);
CREATE INDEX runs_due ON runs (wake) WHERE status = 'waiting' AND wake IS NOT NULL;
CREATE TABLE events (
  run INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL, previous TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) WITHOUT ROWID;
CREATE TABLE gates (
  id TEXT PRIMARY KEY, run INTEGER NOT NULL, path TEXT NOT NULL, short TEXT NOT NULL, token TEXT, content TEXT NOT NULL,
  votes INTEGER NOT NULL, decision TEXT
);
CREATE UNIQUE INDEX gates_by_token ON gates (token) WHERE token IS NOT NULL;
CREATE INDEX gates_by_short ON gates (short) WHERE decision IS NULL;
CREATE INDEX gates_open ON gates (run) WHERE decision IS NULL;
CREATE TABLE blobs (hash TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE data (name TEXT PRIMARY KEY, text TEXT NOT NULL);
`,
  // The search itself fills its index (workflow-words.ts): a run is only marked when it changes afterwards.
  `
CREATE TABLE words (run INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE VIRTUAL TABLE word_groups USING fts5
  (text, content = 'words', content_rowid = 'run', tokenize = 'trigram case_sensitive 1', detail = none);
CREATE TABLE reworded (run INTEGER PRIMARY KEY);
ALTER TABLE runs ADD COLUMN worded INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER runs_reworded AFTER UPDATE OF seq ON runs WHEN old.worded = 1 BEGIN
  UPDATE runs SET worded = 0 WHERE number = old.number;
  INSERT OR IGNORE INTO reworded (run) VALUES (old.number);
END;
`,
  `
ALTER TABLE runs ADD COLUMN archived INTEGER;
CREATE INDEX runs_listed ON runs (status, number) WHERE archived IS NULL;
CREATE INDEX runs_archived ON runs (number) WHERE archived IS NOT NULL;
`,
];
