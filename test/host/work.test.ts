import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogsView, TurnSummary, WorkView } from '../../src/contract/work-methods.ts';
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

function cli(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [kennelEntry, ...args], { env: { PATH, KENNEL_HOME: home.home } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => (out += String(piece)));
  child.stderr.on('data', (piece) => (err += String(piece)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

const say = (text: string) => kennel.call('chat.send', { to: 'guide', text });
const turns = async (input: { states?: TurnSummary['state'][]; agent?: string; room?: string } = {}) =>
  (await kennel.call('work.turns', input)).turns;
const turnAbout = (words: string, state: TurnSummary['state']) =>
  until(`a turn about ${words} that is ${state}`, async () =>
    (await turns()).find((turn) => turn.asked.includes(words) && turn.state === state),
  );

describe('Work history', () => {
  it('shows a turn while it runs and waits, and its details afterwards, also after a restart', async () => {
    const page = follow<WorkView>(kennel.host, 'work');
    const { roomId } = await say('write hello.md');
    const waiting = await until('a turn that waits', () =>
      Object.values(page.state().running).find(({ state }) => state === 'waiting'),
    );
    expect(waiting).toMatchObject({ agentId: 'guide', asked: 'write hello.md', roomId, endedAt: null });
    const { approvals } = await kennel.call('approvals.list', {});
    const [question] = approvals;
    if (!question) throw new Error('no question');
    const during = await kennel.call('work.turn', { turn: waiting.id });
    expect(during.parts.map(({ kind, state }) => `${kind} ${state}`)).toEqual(
      expect.arrayContaining(['asked done', 'model done', 'tool waiting', 'wait waiting']),
    );
    await kennel.call('approvals.decide', {
      id: question.id,
      digest: question.digest,
      surface: 'terminal',
      answer: { type: 'allow', scope: 'once' },
    });
    const done = await turnAbout('write hello.md', 'done');
    await until('an empty topic', () => Object.keys(page.state().running).length === 0);
    page.stop();
    expect(done).toMatchObject({ id: waiting.id, steps: 1, spend: { simulated: true } });
    expect(done.spend.tokens).toBeGreaterThan(0);
    const before = await kennel.call('work.turn', { turn: done.id.slice(0, 12) });
    const kinds = before.parts.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'model')).toHaveLength(2);
    expect(kinds).toEqual(expect.arrayContaining(['asked', 'tool', 'wait']));
    for (const part of before.parts) expect(part.endedAt).toBeGreaterThanOrEqual(part.startedAt);
    expect(before.answer).not.toBe('');
    const raw = await kennel.call('work.raw', { turn: done.id });
    expect(raw.events.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'toolResult', 'assistant']);
    const tool = before.parts.find(({ kind }) => kind === 'tool');
    const whole = await kennel.call('work.part', { turn: done.id, part: tool?.id ?? '' });
    expect(whole.input).toContain('hello.md');
    await kennel.stop();
    kennel = await startHost(home.home);
    expect(await kennel.call('work.turn', { turn: done.id })).toEqual(before);
  });

  it('lists turns by agent, room and state, also of an agent that does not run', async () => {
    const first = await say('echo one');
    await answerTo(kennel, first.roomId, first.messageId);
    await turnAbout('echo one', 'done');
    expect(await turns({ room: first.roomId, agent: 'guide' })).not.toEqual([]);
    expect(await turns({ room: 'ch_nowhere' })).toEqual([]);
    expect((await turns({ states: ['done'] })).every(({ state }) => state === 'done')).toBe(true);
    expect(await turns({ states: ['failed'] })).toEqual([]);
    const page = await kennel.call('work.turns', { agent: 'guide', limit: 1 });
    const rest = page.next === null ? [] : (await kennel.call('work.turns', { before: page.next })).turns;
    expect([...page.turns, ...rest].map(({ id }) => id)).toEqual((await turns()).map(({ id }) => id));
    await kennel.call('agents.pause', { agent: 'guide' });
    await until('a paused guide', async () => {
      const { agents } = await kennel.call('agents.list', {});
      return agents.find(({ id }) => id === 'guide')?.life === 'paused';
    });
    expect((await turns({ agent: 'guide' })).map(({ asked }) => asked)).toContain('echo one');
    const wrong = await kennel.tryCall('work.turn', { turn: 'turn_nobody' });
    expect(wrong).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('is shown by the command line', async () => {
    await say('echo in the shell');
    const turn = await turnAbout('echo in the shell', 'done');
    const list = await cli('work', 'guide', '--limit', '5');
    expect(list.err).toBe('');
    expect(list.out).toContain(turn.id);
    const shown = await cli('work', 'show', turn.id);
    expect(shown.out).toMatch(/model +done/);
    const json = JSON.parse((await cli('work', 'show', turn.id, '--json')).out) as { turn: TurnSummary };
    expect(json.turn.id).toBe(turn.id);
    const raw = await cli('work', 'show', turn.id, '--raw');
    expect(JSON.parse(raw.out.split('\n')[0] ?? '')).toMatchObject({ role: 'user' });
    expect((await cli('work', 'show', 'turn_nobody')).code).toBe(2);
    expect((await cli('work', '--state', 'odd')).err).toContain('--state takes');
  });
});

describe('Log of the host', () => {
  it('is read newest first, searched and followed, and contains no message text (T18)', async () => {
    const page = follow<LogsView>(kennel.host, 'logs');
    const lines = () => Object.values(page.state().batches).flat();
    expect(lines().map(({ event }) => event)).toContain('host_ready');
    await kennel.host.call({ kind: 'agent', id: 'guide' }, 'logs.read', {});
    await until('the new line', () => lines().some(({ event }) => event === 'call_forbidden'));
    const read = await kennel.call('logs.read', { text: 'CALL_FORBIDDEN', level: 'warn' });
    expect(read.lines[0]).toMatchObject({ level: 'warn', event: 'call_forbidden' });
    const live = lines().find(({ event }) => event === 'call_forbidden');
    expect(read.lines.map(({ id }) => id)).toContain(live?.id);
    const older = await kennel.call('logs.read', { before: live?.id ?? '', limit: 1 });
    expect(older.lines[0]?.id).not.toBe(live?.id);
    const { messageId, roomId } = await say('echo a canary of words');
    await answerTo(kennel, roomId, messageId);
    expect((await kennel.call('logs.read', { text: 'canary of words' })).lines).toEqual([]);
    page.stop();
  });
});
