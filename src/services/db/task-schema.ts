import { threadKeySql } from './thread-keys-sql.ts';

/**
 * The tables of `tasks.db`. Partial indexes hold what a claim needs, so that a claim costs the same with ten
 * tasks and with a hundred thousand; each lane stores the head of its own queue.
 */
export const taskSchema = [
  `
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, status TEXT NOT NULL, lane TEXT NOT NULL, project TEXT, priority INTEGER NOT NULL,
  due INTEGER, ready INTEGER NOT NULL, key TEXT UNIQUE, body TEXT NOT NULL
);
CREATE INDEX tasks_ready ON tasks (lane, priority DESC, id) WHERE ready = 1;
CREATE INDEX tasks_due ON tasks (due) WHERE status = 'pending' AND ready = 0;
CREATE INDEX tasks_by_status ON tasks (status, id);
CREATE INDEX tasks_by_project ON tasks (project, id) WHERE project IS NOT NULL;
CREATE INDEX tasks_by_lane ON tasks (lane, id);
CREATE TABLE steps (
  task INTEGER NOT NULL, number INTEGER NOT NULL, call TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (task, number)
) WITHOUT ROWID;
CREATE UNIQUE INDEX steps_by_call ON steps (task, call);
CREATE TABLE leases (
  task INTEGER PRIMARY KEY, claim INTEGER NOT NULL, owner TEXT NOT NULL, pid INTEGER NOT NULL, boot TEXT NOT NULL,
  worker INTEGER NOT NULL, beat INTEGER NOT NULL, runner TEXT NOT NULL
);
CREATE TABLE lanes (
  agent TEXT PRIMARY KEY, concurrency INTEGER NOT NULL, running INTEGER NOT NULL, ready INTEGER NOT NULL,
  priority INTEGER, head INTEGER, served INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX lanes_willing ON lanes (priority DESC, served, head) WHERE ready > 0 AND running < concurrency;
CREATE INDEX lanes_idle ON lanes (served, agent) WHERE running < concurrency AND agent <> '';
CREATE TABLE turns (one INTEGER PRIMARY KEY CHECK (one = 1), served INTEGER NOT NULL);
CREATE TABLE schedules (id TEXT PRIMARY KEY, next INTEGER, body TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX schedules_by_next ON schedules (next) WHERE next IS NOT NULL;
`,
  `
CREATE INDEX tasks_cancelled ON tasks (id) WHERE status = 'error' AND json_extract(body, '$.failure.kind') = 'cancelled';
`,
  `
UPDATE tasks SET body = json_set(body, '$.origin.threadKey', ${threadKeySql("json_extract(body, '$.origin.threadKey')")})
  WHERE json_extract(body, '$.origin.threadKey') IS NOT NULL;
UPDATE schedules SET body = json_set(body, '$.starts.threadKey', ${threadKeySql("json_extract(body, '$.starts.threadKey')")})
  WHERE json_extract(body, '$.starts.threadKey') IS NOT NULL;
`,
  `
ALTER TABLE tasks ADD COLUMN archived INTEGER;
DROP INDEX tasks_cancelled;
CREATE INDEX tasks_cancelled ON tasks (id)
  WHERE status = 'error' AND archived IS NULL AND json_extract(body, '$.failure.kind') = 'cancelled';
CREATE INDEX tasks_shown ON tasks (status, id) WHERE archived IS NULL;
CREATE INDEX tasks_archived ON tasks (id) WHERE archived IS NOT NULL;
`,
  `
CREATE INDEX tasks_removing ON tasks (id) WHERE json_extract(body, '$.worktree.state') = 'removing';
`,
];
