import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/services/db/binding.ts';
import { eachTestInFolder } from '../fakes/each-test-in-folder.ts';

// Reads and verifies past runs from the command line alone, and checks the report about an edited file.

const cli = path.resolve(import.meta.dirname, '../../dist/cli/puppy.js');
let root = '';
eachTestInFolder('kennel-verify-', (made) => {
  root = made;
});

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

it('The log shows approvers without the workflow file, and names edited and missing runs (T28)', () => {
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

const verifier = path.resolve(import.meta.dirname, '../../docs/examples/verify-run.mjs');

/** Verifies with nothing but the file and the script of the documentation, without Kennel. */
function verifyAlone(lines: readonly string[]) {
  const kept = path.join(root, 'kept.jsonl');
  writeFileSync(kept, `${lines.join('\n')}\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [verifier, kept], { encoding: 'utf8' });
  return { whole: status === 0, stdout, stderr };
}

it('T28: An exported run is verified without Kennel: approvals, content and completeness', () => {
  writeFileSync(
    path.join(root, 'w.puppy'),
    file.replace('{\\"to\\": \\"bob\\"}', '{\\"to\\": 9007199254740993}'),
  );
  const run = oneRun();
  const saved = path.join(root, 'run.jsonl');
  const told = puppy('log', run, '--export', saved, '--json').json<{
    head: string;
    events: number;
    texts: number;
  }>();
  expect(told).toMatchObject({ id: run, file: saved, texts: 2 });
  expect(statSync(saved).mode & 0o777).toBe(0o600);
  const again = puppy('log', run, '--export', saved);
  expect(again.code).toBe(1);

  const lines = readFileSync(saved, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(1 + told.events + told.texts);
  const whole = verifyAlone(lines);
  expect(whole.stderr).toBe('');
  expect(whole.stdout).toContain(' ann: approve: Send this?\n');
  expect(whole.stdout).toContain(`Whole: ${told.events} events, the last is ${told.head}.`);

  const without = (at: number): readonly string[] => lines.toSpliced(at, 1);
  const opened = lines.findIndex((line) => line.includes('"gate_opened"'));
  const forged: Readonly<Record<string, readonly string[]>> = {
    'an event less': without(3),
    'the last event less': without(told.events),
    'a text less': without(told.events + 1),
    'another item in the question': lines.with(
      opened,
      (lines[opened] ?? '').replace('9007199254740993', '9007199254740992'),
    ),
    'another person': lines.map((line) => line.replace('"by":"ann"', '"by":"bob"')),
    'another definition': lines.map((line) => line.replace('echo sent', 'echo gone')),
    'another output': lines.map((line) => line.replace('xxxx', 'xxxy')),
    'the run of another': lines.map((line) => line.replace(run, run.replace(/^./, '_'))),
  };
  for (const [what, changed] of Object.entries(forged)) {
    expect(changed, what).not.toEqual(lines);
    expect(verifyAlone(changed), what).toMatchObject({ whole: false });
  }
});

it.skipIf(process.platform === 'win32')(
  'An export without enough disk space leaves no file, wherever space ends (F4)',
  () => {
    writeFileSync(path.join(root, 'w.puppy'), file);
    const run = oneRun();
    const saved = path.join(root, 'run.jsonl');
    puppy('log', run, '--export', saved);
    const blocks = Math.floor(statSync(saved).size / 512);
    for (const most of [1, blocks - 20, blocks]) {
      const short = path.join(root, `short-${most}.jsonl`);
      const words = ['log', run, '--export', short];
      // Limits the file size in blocks: the write that exceeds it is cut short.
      const { status } = spawnSync(
        '/bin/sh',
        ['-c', `ulimit -f ${most}; exec "$0" "$@"`, process.execPath, cli, ...words],
        {
          cwd: root,
          env: { HOME: root, PUPPY_STATE_DIR: path.join(root, 'state'), NODE_DISABLE_COMPILE_CACHE: '1' },
        },
      );
      expect({ most, status, there: existsSync(short) }).toEqual({ most, status: 1, there: false });
    }
  },
);
