import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/services/db/binding.ts';

// What ever ran, read and verified from the command line alone, and what it says of a file that somebody has edited.

const cli = path.resolve(import.meta.dirname, '../../dist/cli/puppy.js');
let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kennel-verify-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

function puppy(...words: readonly string[]) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: root,
    PUPPY_STATE_DIR: path.join(root, 'state'),
    PUPPY_APPROVAL_APPROVED_BY: 'ann',
  };
  const { status, stdout } = spawnSync(process.execPath, [cli, ...words], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  return { code: status, stdout, json: <T>(): T => JSON.parse(stdout) as T };
}

const edit = (work: (db: Database) => void): void => {
  const db = openDatabase(path.join(root, 'state', 'workflows.db'));
  work(db);
  db.close();
};

interface Verdict {
  readonly verified: boolean;
  readonly runs: number;
  readonly broken: readonly { readonly id: string; readonly brokenAt: number }[];
  readonly missing: number;
}

const file = `steps:
  - {id: big, run: 'head -c 40000 /dev/zero | tr "\\\\0" x', effect: pure}
  - {id: list, run: 'echo "[{\\"to\\": \\"bob\\"}]"', effect: pure}
  - {id: g, approval: {prompt: Send this?, items: $list.json}}
  - {id: b, run: 'echo sent'}
`;

function oneRun(): string {
  const asked = puppy('run', '--file', 'w.puppy', '--json').json<{
    runId: string;
    requiresApproval: { resumeToken: string };
  }>();
  const told = puppy('resume', '--token', asked.requiresApproval.resumeToken, '--approve', 'yes', '--json');
  expect(told.json()).toMatchObject({ ok: true, status: 'ok' });
  return asked.runId;
}

it('tells who approved what they saw after the file of the workflow is gone, and which run was edited since (T28)', () => {
  writeFileSync(path.join(root, 'w.puppy'), file);
  const [first, second, third] = [oneRun(), oneRun(), oneRun()];
  rmSync(path.join(root, 'w.puppy'));

  const { events } = puppy('log', first, '--verify', '--json').json<{
    events: readonly { readonly event: Record<string, unknown> }[];
  }>();
  const of = (type: string) => events.find(({ event }) => event.type === type)?.event;
  expect(of('gate_opened')).toMatchObject({ content: { prompt: 'Send this?', items: [{ to: 'bob' }] } });
  expect(of('gate_decided')).toMatchObject({
    decision: 'approve',
    by: 'ann',
    contentHash: of('gate_opened')?.contentHash,
  });
  expect(puppy('show', first).stdout).toContain('approve by ann');
  const whole = puppy('log', '--verify', '--json');
  expect(whole.code).toBe(0);
  expect(whole.json<Verdict>()).toMatchObject({ verified: true, runs: 3, broken: [], missing: 0 });

  const decidedAt = 1 + events.findIndex(({ event }) => event.type === 'gate_decided');
  edit((db) => {
    db.exec(`UPDATE events SET event = replace(event, '"by":"ann"', '"by":"eve"')
      WHERE run = (SELECT number FROM runs WHERE id = '${second}') AND event LIKE '%gate_decided%'`);
  });
  const edited = puppy('log', '--verify', '--json');
  expect(edited.code).toBe(1);
  expect(edited.json<Verdict>()).toMatchObject({
    verified: false,
    broken: [{ id: second, brokenAt: decidedAt + 1 }],
  });
  expect(puppy('log', second, '--verify').stdout).toContain(`Not whole: event ${decidedAt + 1} `);
  expect(puppy('log', first, '--verify').code).toBe(0);

  edit((db) => {
    db.exec(`DELETE FROM runs WHERE id = '${third}'`);
    db.exec("UPDATE blobs SET text = replace(text, 'xxx', 'yyy')");
  });
  const told = puppy('log', '--verify', '--json').json<Verdict>();
  expect(told.broken.map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
  expect(told.missing).toBe(1);
  const said = puppy('log', '--verify');
  expect([said.code, said.stdout]).toEqual([1, expect.stringContaining('and 1 run gone')]);
}, 60_000);
