import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AgentSummary } from '../../src/contract/model.ts';
import { promised } from '../fakes/patience.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import type { Door } from './door.ts';
import { Conversation, checkAtRest, seen, undisturbed, until } from './invariants.ts';
import { doorOf, exitOf, type KennelProcess, kill, startKennel } from './kennel-process.ts';
import { demoFolder, newFolder, removeFolder } from './places.ts';

const random = createSeededRandom(seed);

let demo = '';
let home = '';
let kennel: KennelProcess;
let door: Door;

beforeAll(async () => {
  demo = await demoFolder();
});
afterAll(() => removeFolder(demo));
beforeEach(async () => {
  home = newFolder();
  cpSync(demo, home, { recursive: true });
  kennel = startKennel(home);
  door = await doorOf(home, kennel);
  await undisturbed(door);
  await undisturbed(door, 'guide');
});
afterEach(async () => {
  door.close();
  await kill(kennel);
  removeFolder(home);
});

const inAgent = (...parts: readonly string[]): string => path.join(home, 'agents', 'guide', ...parts);

async function guide(): Promise<AgentSummary> {
  const { agents } = await door.call('agents.list', {});
  const found = agents.find(({ id }) => id === 'guide');
  if (!found) throw new Error('guide is gone from the list');
  return found;
}

/** Text that is cut off, has a changed letter or swapped lines, or is replaced by binary data. */
function spoilt(text: string): string | Buffer {
  const at = Math.floor(random.fraction() * text.length);
  const ways: readonly (() => string | Buffer)[] = [
    () => text.slice(0, at),
    () => `${text.slice(0, at)}${'{[&*!:'[at % 6]}${text.slice(at + 1)}`,
    () => text.split('\n').reverse().join('\n'),
    () => Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xff, 0xfe, 0x00])]),
    () => '',
    () => `a: &a [x]\nb: [${'*a,'.repeat(50)}]\n${text}`,
  ];
  return (ways[Math.floor(random.fraction() * ways.length)] ?? (() => ''))();
}

const edits = proof ? 200 : 12;
it(`${edits} bad or half-written configs and profiles stop no agent (F20), seed ${seed}`, {
  timeout: 60_000 + edits * 3000,
}, async () => {
  const talk = new Conversation();
  for (let n = 0; n < edits; n += 1) {
    const file = inAgent(n % 3 === 2 ? 'profile.md' : 'agent.yml');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, spoilt(good));
    await new Promise((resolve) => setTimeout(resolve, 20 + random.fraction() * 150));
    const now = await guide();
    expect(now, `after edit ${n}`).toMatchObject({
      life: expect.stringMatching(/running|starting|stopping|not_connected/),
    });
    if (n % 4 === 0 && now.configError) expect(now.configError.where ?? '').toContain('agent.yml');
    await talk.say(door);
    // Writes the file back in pieces, like an editor on a slow disk.
    for (let end = 0; end < good.length; end += 300) writeFileSync(file, good.slice(0, end));
    writeFileSync(file, good);
    await until('the file to be good again', async () => (await guide()).configError === null);
  }
  await talk.holds(door, 60_000);
  await undisturbed(door);
  await kill(kennel, 'SIGTERM');
  await checkAtRest(home);
});

it('An unreadable config is reported with file, line and reason; the last good one stays in use (F20)', async () => {
  const good = readFileSync(inAgent('agent.yml'), 'utf8');
  writeFileSync(inAgent('agent.yml'), `${good}\nruntime: {unclosed\n`);
  const { configError } = await seen('the reason', async () => {
    const now = await guide();
    return now.configError ? now : false;
  });
  expect(configError?.where).toMatch(/agent\.yml.*line \d+/);
  const talk = new Conversation();
  await talk.say(door);
  await talk.holds(door);
});

it('An invalid rule is reported with its line; the last good rules stay in force (F20, T25)', async () => {
  const { slug } = await door.call('agents.get', { agent: 'guide' });
  const answerTo = (id: string) =>
    seen('an answer', async () => {
      const { messages } = await door.call('chat.history', { room: `dm:${slug}`, limit: 50 });
      return messages.find(({ own, threadRootId }) => !own && threadRootId === id)?.text;
    });
  const write = async (file: string): Promise<string> =>
    answerTo((await door.call('chat.send', { to: 'guide', text: `write ${file}` })).messageId);
  const policy = (action: string): string =>
    `\npolicy:\n  rules:\n    - action: ${action}\n      tool: write_file\n`;
  const file = inAgent('agent.yml');
  const good = readFileSync(file, 'utf8');
  writeFileSync(file, good + policy('deny'));
  expect(await write('one.md')).toMatch(/stays unwritten|did not work/);
  writeFileSync(file, good + policy('permit'));
  const { configError } = await seen('the reason', async () => {
    const now = await guide();
    return now.configError ? now : false;
  });
  const line = (good + policy('permit')).split('\n').findIndex((text) => text.includes('permit')) + 1;
  expect(configError?.where).toMatch(new RegExp(`agent\\.yml.*line ${line}\\b`));
  expect(await write('two.md'), 'the last good rule').toMatch(/stays unwritten|did not work/);
  writeFileSync(file, good);
  await seen('a good file', async () => (await guide()).configError === null);
  await door.call('chat.send', { to: 'guide', text: 'write three.md' });
  await seen('a question again', async () => (await door.call('approvals.list', {})).approvals.length === 1);
});

it('An unreadable daemon.yml is reported and changes nothing (F20)', async () => {
  writeFileSync(path.join(home, 'daemon.yml'), 'default_provider: [openai\n  x: &a *a\n');
  await seen('the reason', async () =>
    /daemon[.]yml/.test(
      JSON.stringify([await door.call('host.view', {}), await door.tryCall('host.doctor', {})]),
    ),
  );
  const talk = new Conversation();
  await talk.say(door);
  await talk.holds(door);
  await kill(kennel, 'SIGTERM');
  kennel = startKennel(home);
  door = await doorOf(home, kennel);
  await undisturbed(door);
});

it('An agent that cannot start gives up after five attempts; other agents keep running (F22)', {
  timeout: 120_000,
}, async () => {
  const keys = inAgent('keys');
  renameSync(keys, `${keys}-away`);
  await door.call('agents.restart', { agent: 'guide' });
  const failed = await until(
    'the end of the tries',
    async () => {
      const now = await guide();
      return now.life === 'gave_up' ? now : false;
    },
    60_000,
  );
  expect(failed).toMatchObject({ dot: 'error', error: { message: expect.stringMatching(/key/i) as string } });
  const log = readFileSync(path.join(home, 'logs', 'host.log'), 'utf8');
  const tries = log.split('\n').filter((line) => line.includes('"agent_failed"') && line.includes('guide'));
  expect(tries.length).toBeGreaterThanOrEqual(5);
  expect(tries.length).toBeLessThanOrEqual(6);
  await undisturbed(door);
  const other = new Conversation('checker');
  await other.say(door);
  await other.holds(door);
  renameSync(`${keys}-away`, keys);
  await door.call('agents.restart', { agent: 'guide' });
  await undisturbed(door, 'guide');
  const talk = new Conversation();
  await talk.say(door);
  await talk.holds(door);
});

const rounds = proof ? 50 : 1;
it(`SIGTERM during work ends the host within 10 s; a restart finishes the rest (F25), ${rounds} times`, {
  timeout: 60_000 + rounds * 40_000,
}, async () => {
  const talks = [new Conversation(), new Conversation('checker')];
  for (let round = 0; round < rounds; round += 1) {
    await door.call('chat.send', { to: 'checker', text: 'slow' });
    for (let n = 0; n < 15; n += 1) for (const talk of talks) await talk.say(door);
    await new Promise((resolve) => setTimeout(resolve, random.fraction() * 1500));
    const began = performance.now();
    kennel.child.kill('SIGTERM');
    expect(await exitOf(kennel)).toBe(0);
    expect(performance.now() - began).toBeLessThan(promised(10_000));
    await checkAtRest(home);
    kennel = startKennel(home);
    door = await doorOf(home, kennel);
  }
  for (const talk of talks) await talk.holds(door, 90_000);
});
