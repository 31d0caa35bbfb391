import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = await newDemoHome();
let kennel: TestHost;

function said(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  const env = {
    PATH,
    TMPDIR,
    TZ: 'UTC',
    HOME: folder.home,
    KENNEL_HOME: folder.home,
    KENNEL_NO_KEYCHAIN: '1',
  };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [kennelEntry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (piece) => (out += String(piece)));
    child.stderr.on('data', (piece) => (err += String(piece)));
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

beforeAll(async () => {
  kennel = await startHost(folder.home);
  await kennel.call('setup.tryDemo', {});
}, 60_000);
afterAll(async () => {
  await kennel.stop();
  folder.remove();
});

describe('kennel chat send with a command', () => {
  it('refuses a mistyped one before it is sent, and sends it as text on request', async () => {
    const typo = await said('chat', 'send', '--to', 'guide', '/taks sum up');
    expect(typo.code).not.toBe(0);
    expect(typo.err).toContain('/taks is not a command. Did you mean /task?');
    expect(typo.err).toContain('add --text');
    const missing = await said('chat', 'send', '--to', '#general', '/task sum up');
    expect(missing.err).toContain('mention the agent before /task');
    const sent = async () =>
      (await kennel.call('chat.history', { room: 'guide' })).messages
        .filter(({ own }) => own)
        .map(({ text }) => text);
    expect(await sent()).not.toContain('/taks sum up');
    expect((await said('chat', 'send', '--to', 'guide', '--text', '/taks sum up')).code).toBe(0);
    expect(await sent()).toContain('/taks sum up');
  });
});

describe('kennel task with a running host', () => {
  it('adds a task, follows it to its end and shows its log', async () => {
    const added = await said('task', 'add', 'Name', 'a bird', '--agent', 'guide', '--json');
    expect(added).toMatchObject({ code: 0, err: '' });
    const { task, isNew } = JSON.parse(added.out) as { task: { id: number }; isNew: boolean };
    expect(isNew).toBe(true);
    const number = String(task.id);
    const streamed = await said('task', 'stream', number);
    expect(streamed.out).toMatch(/^Task 1: Name a bird\nStatus: \w+\nSteps: \d+\n\nExecution log:\n/);
    expect(streamed.out).toContain('Status: done');
    expect(streamed.code).toBe(0);
    const log = await said('task', 'logs', number);
    expect(log.out).toMatch(
      /^Task 1: Name a bird\nStatus: done\nSteps: \d+\n\nExecution log:\n\n\[Step 1\] /,
    );
    expect(log.out).toContain('\n  Action: decision\n  Result: ');
    expect((await said('task', 'list')).out).toBe('Tasks:\n  [X] 1: Name a bird (done)\n');
    expect((await said('task', 'status')).out).toContain('\n  done: 1\n');
    expect((await said('workers')).out).toMatch(/^Workers \(\d+\):\n {2}Worker 0: idle\n/);
    expect((await said('task', 'archive', number)).out).toContain('Archived 1 task.');
    expect((await said('task', 'list')).out).not.toContain('Name a bird');
    expect((await said('task', 'status')).out).toContain('\n  done: 0\n');
    const found = await Promise.all([
      said('task', 'list', '--archived'),
      said('task', 'list', '--text', 'bird'),
    ]);
    for (const { out } of found) expect(out).toContain('Name a bird (done)');
    expect((await said('task', 'unarchive', number)).out).toContain('Brought back 1 task.');
    expect((await said('task', 'archive', '--older-than', '30d')).out).toContain('Archived 0 tasks.');
    expect((await said('task', 'archive', '--older-than', '0')).out).toContain('Archived 1 task.');
    await said('task', 'unarchive', number);
    expect((await said('task', 'archive')).code).toBe(2);
  }, 60_000);

  it('waits for the result and prints nothing else to stdout', async () => {
    const waited = await said('task', 'add', 'Name a colour', '--wait', '30');
    expect(waited.code).toBe(0);
    expect(waited.out.trim()).not.toBe('');
    expect(waited.err).toContain('Name a colour (');
  }, 60_000);

  it('reports that a task waits for approval, and continues after it', async () => {
    const waited = said('task', 'add', 'Write haiku.md', '--agent', 'guide', '--wait', '30');
    const asked = await until('a question', async () => {
      const { approvals } = await kennel.call('approvals.list', {});
      return approvals.find(({ state }) => state === 'waiting');
    });
    expect((await said('task', 'list', '--status', 'waiting')).out).toContain('(waiting for approval)');
    expect((await said('approvals', 'allow', asked.id)).code).toBe(0);
    const { code, err } = await waited;
    expect([code, err.includes('Status: waiting for approval. "kennel approvals list"')]).toEqual([0, true]);
  }, 60_000);

  it('holds a task until it is due, changes it and cancels it', async () => {
    const number = await said('task', 'add', 'Later', '--due', 'in 2h', '--json').then(({ out }) =>
      String((JSON.parse(out) as { task: { id: number } }).task.id),
    );
    expect((await said('task', 'pause', number)).out).toContain('(paused)');
    expect((await said('task', 'change', number, '--project', 'home')).out).toContain('Project  home');
    expect((await said('task', 'resume', number)).out).toContain('(pending)');
    expect((await said('task', 'cancel', number)).out).toMatch(/\(cancelled\)\nYou cancelled it\./);
    expect((await said('task', 'stream', number)).code).toBe(1);
    const again = await said('task', 'retry', '1');
    expect([again.code, again.err.includes('it succeeded')]).toEqual([2, true]);
  }, 60_000);

  it('imports tasks of a Personal Agent once, and leaves a corrupt file unchanged', async () => {
    const file = path.join(folder.home, 'old-tasks.json');
    const when = '2026-01-15T03:20:25.123456';
    const step = { step_id: 1, timestamp: when, action: 'decision', result: 'Did it', error: null };
    const dates = { created_at: when, updated_at: when, memory: {} };
    const tasks = { 7: { id: 7, goal: 'Old one', status: 'done', ...dates, steps: [step] } };
    writeFileSync(file, JSON.stringify({ tasks, next_id: 8 }));
    expect((await said('task', 'import', file)).out).toMatch(/^Imported 1 task: \d+\.\n/);
    expect((await said('task', 'import', file)).out).toBe('Imported 0 tasks.\n1 was here already.\n');
    expect((await said('task', 'list', '--text', 'Old one')).out).toContain('[X]');
    writeFileSync(file, '{"tasks": {"7": {');
    const corrupt = await said('task', 'import', file);
    expect([corrupt.code, corrupt.err.includes('Nothing was imported')]).toEqual([1, true]);
    expect(readFileSync(file, 'utf8')).toBe('{"tasks": {"7": {');
    const gone = await said('task', 'import', `${file}.gone`);
    expect([gone.code, gone.err]).toEqual([
      2,
      `kennel: There is no such file that can be read (${file}.gone).\n`,
    ]);
    expect(existsSync(`${file}.gone`)).toBe(false);
  }, 60_000);
});

describe('kennel schedule with a running host', () => {
  it('adds, lists, runs, pauses and removes a schedule', async () => {
    const cron = ['--cron', '0 9 * * 1-5', '--time-zone', 'Europe/Berlin'];
    const made = await said('schedule', 'add', 'morning', ...cron, '--task', 'Greet', '--agent', 'guide');
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toContain('When     "0 9 * * 1-5" in Europe/Berlin');
    expect((await said('schedule', 'list')).out).toMatch(
      /^NAME +STATE +NEXT +WHEN +STARTS\nmorning +active +\d{4}-\d\d-\d\d 0[78]:00 +"0 9 \* \* 1-5"/,
    );
    expect((await said('schedule', 'run', 'morning')).out).toContain('Last ');
    await until(
      'its task',
      async () => (await kennel.call('tasks.list', { text: 'Greet' })).tasks.length === 1,
    );
    expect((await said('schedule', 'pause', 'morning')).out).toContain('Next     paused');
    expect((await said('schedule', 'change', 'morning', '--cron', '61 * * * *')).err).toContain(
      'no cron expression',
    );
    expect((await said('schedule', 'change', 'morning', '--name', 'dawn', '--catch-up')).out).toContain(
      'dawn (s-',
    );
    expect((await said('schedule', 'resume', 'dawn')).out).not.toContain('paused');
    expect((await said('schedule', 'remove', 'dawn')).code).toBe(0);
    expect((await said('schedule', 'list', '--json')).out.trim()).toContain('"schedules": []');
    expect((await said('schedule', 'show', 'dawn')).code).toBe(2);
  }, 60_000);

  it('previews due times and rejects invalid expressions', async () => {
    const preview = await said('schedule', 'preview', '0 9 1 1 *', '--time-zone', 'UTC', '--count', '2');
    expect(preview.out).toMatch(/^\d{4}-01-01 09:00\n\d{4}-01-01 09:00\n$/);
    const wrong: readonly (readonly string[])[] = [
      ['schedule', 'add', 'x', '--task', 'y'],
      ['schedule', 'add', 'x', '--at', 'soon', '--task', 'y'],
      ['schedule', 'add', 'x', '--at', 'in 1h'],
      ['schedule', 'add', 'x', '--at', 'in 1h', '--cron', '* * * * *', '--task', 'y'],
      ['schedule', 'add', 'x', '--file', '/tmp', '--rest', '2 days', '--task', 'y'],
      ['schedule', 'add', 'x', '--at', 'in 1h', '--workflow', 'a.puppy', '--args', '[1]'],
      ['schedule', 'preview', '* * *'],
    ];
    const all = await Promise.all(wrong.map((words) => said(...words)));
    expect(all.map(({ code }) => code)).toEqual(wrong.map(() => 2));
  }, 60_000);
});
