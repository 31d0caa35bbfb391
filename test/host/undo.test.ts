import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RestorePointView, UndoView } from '../../src/contract/undo-methods.ts';
import { englishText } from '../../src/language/host-message.ts';
import { inEnglish } from '../fakes/in-english.ts';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { answerTo, follow, newDemoHome, type newHome, startHost, type TestHost, until } from './host-rig.ts';

let home: ReturnType<typeof newHome>;
let kennel: TestHost;

beforeEach(async () => {
  home = await newDemoHome();
  kennel = await startHost(home.home);
  await kennel.call('setup.tryDemo', {});
});
afterEach(async () => {
  await kennel.stop();
  home.remove();
});

const file = (name: string): string => join(home.home, 'agents', 'guide', 'workspace', name);
const say = (text: string) => kennel.call('chat.send', { to: 'guide', text });

function cli(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [kennelEntry, ...args], { env: { PATH, KENNEL_HOME: home.home } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => (out += String(piece)));
  child.stderr.on('data', (piece) => (err += String(piece)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

/** Has Guide write the file, with approval, and waits for its answer. */
async function write(name: string): Promise<RestorePointView> {
  const sent = await say(`write ${name}`);
  const question = await until('a question', async () => {
    const { approvals } = await kennel.call('approvals.list', {});
    return approvals[0];
  });
  await kennel.call('approvals.decide', {
    id: question.id,
    digest: question.digest,
    surface: 'terminal',
    answer: { type: 'allow', scope: 'once' },
  });
  await answerTo(kennel, sent.roomId, sent.messageId);
  const { points } = await kennel.call('undo.list', { agent: 'guide' });
  const point = points.find(({ title }) => englishText(title).includes(name));
  if (!point) throw new Error(`no restore point of ${name}`);
  return point;
}

const rawTexts = async (): Promise<string> => {
  const { turns } = await kennel.call('work.turns', { agent: 'guide', limit: 50 });
  const pages = await Promise.all(turns.map(({ id }) => kennel.call('work.raw', { turn: id })));
  return pages.flatMap(({ events }) => events.map(({ json }) => json)).join('\n');
};

describe('Undo', () => {
  it('shows a change as a diff, reverts it, takes that back, tells the agent, and survives a restart', async () => {
    const followed = follow<UndoView>(kennel.host, 'undo');
    const point = await write('hello.md');
    expect(inEnglish(point)).toMatchObject({
      agentId: 'guide',
      tool: 'write_file',
      title: 'wrote hello.md',
      undoneBy: null,
      files: [{ path: 'hello.md', kind: 'file', change: 'created' }],
    });
    const written = readFileSync(file('hello.md'), 'utf8');
    const { messages } = await kennel.call('chat.history', { room: (await say('echo done')).roomId });
    const steps = messages.flatMap((message) => message.steps);
    expect(steps.map(({ restorePoint }) => restorePoint)).toContain(point.id);

    const shown = await kennel.call('undo.show', { point: point.id });
    expect(shown.files).toMatchObject([{ path: 'hello.md', state: 'ready', since: '' }]);
    expect(shown.files[0]?.diff).toContain('+# ');
    const done = await kennel.call('undo.apply', { point: point.id, digest: shown.digest });
    expect(done).toMatchObject({ restored: ['hello.md'], kept: [] });
    expect(existsSync(file('hello.md'))).toBe(false);
    await until('the topic', () => followed.state().revision > 0);
    followed.stop();
    const { lines } = await kennel.call('audit.list', { limit: 20 });
    expect(lines.find(({ kind }) => kind === 'undo')?.detail).toBe(`${done.point} ${point.id}`);

    const told = await say('echo anything new');
    await answerTo(kennel, told.roomId, told.messageId);
    expect(await rawTexts()).toContain('Your operator undid changes that you made to files');

    await kennel.stop();
    kennel = await startHost(home.home);
    const { points } = await kennel.call('undo.list', { turn: point.turnId });
    expect(points.map(({ tool, undoneBy }) => [tool, undoneBy])).toEqual([
      ['undo', null],
      ['write_file', done.point],
    ]);
    const again = await kennel.tryCall('undo.show', { point: point.id });
    expect(again).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const back = await kennel.call('undo.show', { point: done.point });
    await kennel.call('undo.apply', { point: done.point, digest: back.digest });
    expect(readFileSync(file('hello.md'), 'utf8')).toBe(written);
  });

  it('refuses a revert of files that changed since they were shown, and asks about later work', async () => {
    const { id } = await write('hello.md');
    const shown = await kennel.call('undo.show', { point: id });
    writeFileSync(file('hello.md'), 'mine\n');
    const late = await kennel.tryCall('undo.apply', { point: id, digest: shown.digest, changed: 'restore' });
    expect(late).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const now = await kennel.call('undo.show', { point: id });
    expect(now.files).toMatchObject([{ state: 'changed', since: expect.stringContaining('+mine') }]);
    const kept = await kennel.tryCall('undo.apply', { point: id, digest: now.digest });
    expect(kept).toMatchObject({ ok: false });
    expect(readFileSync(file('hello.md'), 'utf8')).toBe('mine\n');
    await kennel.call('undo.apply', { point: id, digest: now.digest, changed: 'restore' });
    expect(existsSync(file('hello.md'))).toBe(false);
  });

  it('follows the words "undo that" of the operator, once, and keeps what a person changed (T8)', async () => {
    const { id } = await write('hello.md');
    const said = await say('Undo that.');
    const answer = await answerTo(kennel, said.roomId, said.messageId);
    expect(answer.text).toContain('Undone: `hello.md`');
    expect(existsSync(file('hello.md'))).toBe(false);
    const { points } = await kennel.call('undo.list', { points: [id] });
    expect(points[0]?.undoneBy).not.toBeNull();
    const twice = await say('undo that');
    expect((await answerTo(kennel, twice.roomId, twice.messageId)).text).toContain('I changed no files');
    await write('other.md');
    writeFileSync(file('other.md'), 'mine');
    const mine = await say('undo that');
    expect((await answerTo(kennel, mine.roomId, mine.messageId)).text).toContain('Nothing was undone');
    expect(readFileSync(file('other.md'), 'utf8')).toBe('mine');
  });

  it('lists, shows and applies in the terminal', async () => {
    const { id } = await write('hello.md');
    expect((await cli('undo', 'list')).out).toContain(`${id}  `);
    const shown = await cli('undo', 'show', id);
    expect(shown.out).toContain('created hello.md');
    expect(shown.out).toContain('+# ');
    writeFileSync(file('hello.md'), 'mine\n');
    const kept = await cli('undo', 'apply', id);
    expect([kept.code === 0, readFileSync(file('hello.md'), 'utf8')]).toEqual([false, 'mine\n']);
    const applied = await cli('undo', 'apply', id.slice(0, 12), '--replace-changed');
    expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('Restored hello.md') });
    expect(existsSync(file('hello.md'))).toBe(false);
    expect((await cli('undo', 'list', '--limit', '0')).code).toBe(2);
    expect((await cli('undo', 'show', 'undo_none')).code).toBe(2);
  });

  it('keeps its store private and encrypted, and removes it with the demo (T18, T19)', async () => {
    await write('hello.md');
    const stores = readdirSync(home.home).filter((name) => name.startsWith('restore.db'));
    expect(stores).toContain('restore.db');
    for (const name of stores) {
      expect(statSync(join(home.home, name)).mode & 0o077).toBe(0);
      expect(readFileSync(join(home.home, name)).includes('# hello')).toBe(false);
    }
    await kennel.call('setup.removeDemo', {});
    expect(readdirSync(home.home).filter((name) => name.startsWith('restore.db'))).toEqual([]);
  });
});
