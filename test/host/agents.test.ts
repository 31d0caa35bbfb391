import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AgentSummary } from '../../src/contract/model.ts';
import { englishText } from '../../src/language/host-message.ts';
import { inEnglish } from '../fakes/in-english.ts';
import { promised } from '../fakes/patience.ts';
import { answerTo, follow, newHome, startHost, type TestHost, until } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let kennel: TestHost;

beforeEach(async () => {
  folder = newHome();
  kennel = await startHost(folder.home);
});
afterEach(async () => {
  await kennel.stop();
  folder.remove();
});

const configPath = (id: string): string => path.join(folder.home, 'agents', id, 'agent.yml');
const summary = async (id: string): Promise<AgentSummary | undefined> =>
  (await kennel.call('agents.list', {})).agents.find((agent) => agent.id === id);
const doctorOn = async (id: string) =>
  (await kennel.call('host.doctor', {})).checks.find((check) => check.id === id);

describe('Agents without an operator', () => {
  it('are created as files, show as not connected, and reject duplicate or invalid IDs', async () => {
    const made = await kennel.call('agents.create', { id: 'bot-1', role: 'coder: writes code' });
    expect(made).toMatchObject({
      registered: false,
      agent: { life: 'not_connected', dot: 'offline', roleShort: 'coder' },
    });
    expect(englishText(made.note)).toContain('puffo_core');
    const again = await kennel.tryCall('agents.create', { id: 'bot-1' });
    expect(again).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await kennel.tryCall('agents.create', { id: 'b2', roleShort: 'x' })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(await kennel.tryCall('agents.create', { id: '../evil' })).toMatchObject({
      error: { code: 'invalid_input' },
    });
  });

  it('reject an unknown provider or invalid base URL, also as defaults', async () => {
    const wrong = {
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining('"openai"') },
    };
    expect(await kennel.tryCall('agents.create', { id: 'b3', provider: 'opnai' })).toMatchObject(wrong);
    expect(await summary('b3')).toBeUndefined();
    const config = { defaultProvider: 'opnai', provider: 'openai', model: 'never-written' };
    expect(await kennel.tryCall('config.set', config)).toMatchObject(wrong);
    expect(await kennel.tryCall('config.set', { provider: 'openai', baseUrl: 'nowhere' })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    for (const senderMessages of [0, 1.5, 10_001]) {
      expect(await kennel.tryCall('config.set', { senderMessages })).toMatchObject({
        error: { code: 'invalid_input' },
      });
    }
    expect((await kennel.call('config.get', {})).yaml).not.toMatch(
      /opnai|never-written|nowhere|sender_messages/,
    );
  });

  it('reject a real API key while no secure storage is available (T20)', async () => {
    const refused = await kennel.tryCall('agents.create', { id: 'keyed', apiKey: 'sk-canary-123456' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'insecure_storage' } });
    expect(existsSync(configPath('keyed'))).toBe(false);
    await kennel.call('agents.create', { id: 'keyed' });
    writeFileSync(
      configPath('keyed'),
      readFileSync(configPath('keyed'), 'utf8').replace("api_key: ''", 'api_key: sk-canary-123456'),
    );
    await until(
      'the refusal to show',
      async () =>
        (await summary('keyed'))?.configError?.code === 'locked' ||
        (await summary('keyed'))?.configError?.code === 'insecure_storage',
    );
  });

  it('suggest the closest ID if none matches', async () => {
    await kennel.call('agents.create', { id: 'guide' });
    const missing = await kennel.tryCall('agents.get', { agent: 'giude' });
    expect(missing).toMatchObject({
      error: { code: 'not_found', message: "There is no agent 'giude'; did you mean 'guide'?" },
    });
  });
});

describe('Agents with an operator', () => {
  beforeEach(async () => {
    await kennel.call('setup.tryDemo', {});
  });

  it('have their avatar on the server once created', async () => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const avatar = { base64: pixel, contentType: 'image/png' };
    const made = await kennel.call('agents.create', { id: 'seen', avatar });
    expect(made).toMatchObject({ registered: true, note: '' });
    expect(made.agent.avatarUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/blobs\/[\w-]+$/);
    const shown = await kennel.call('agents.picture', { agent: 'seen' });
    expect(shown.picture).toBe(`data:image/png;base64,${pixel}`);
    expect(await kennel.call('agents.picture', { agent: 'guide' })).toEqual({ picture: '' });
  });

  it('register, join the home space and answer after one call', async () => {
    const made = await kennel.call('agents.create', { id: 'bob', displayName: 'Bob', soul: 'Kind.' });
    expect(made).toMatchObject({ registered: true, note: '' });
    await until('bob to be idle', async () => (await summary('bob'))?.dot === 'idle');
    const sent = await kennel.call('chat.send', { to: 'Bob', text: 'echo registered' });
    expect((await answerTo(kennel, sent.roomId, sent.messageId)).text).toContain('registered');
    const rooms = await kennel.call('chat.rooms', {});
    const general = Object.values(rooms.rooms).find((room) => room.name === 'general');
    await until('bob in the channel', async () => {
      const now = await kennel.call('chat.rooms', {});
      return now.rooms[general?.id ?? '']?.members.some(({ slug }) => slug === made.agent.slug);
    });
    const detail = await kennel.call('agents.get', { agent: 'bob' });
    expect(detail.soul).toBe('Kind.');
  });

  it('connect within two seconds after their config is filled in by hand', async () => {
    const made = await kennel.call('agents.create', { id: 'first' });
    const source = parse(readFileSync(configPath('first'), 'utf8')) as { puffo_core: Record<string, string> };
    await kennel.call('agents.pause', { agent: 'first' });
    await kennel.call('agents.create', { id: 'second', register: false });
    mkdirSync(path.join(folder.home, 'agents', 'second', 'keys'), { recursive: true });
    const keyFile = `${made.agent.slug}.json`;
    const from = path.join(folder.home, 'agents', 'first', 'keys', keyFile);
    writeFileSync(path.join(folder.home, 'agents', 'second', 'keys', keyFile), readFileSync(from));
    const yaml = readFileSync(configPath('second'), 'utf8').replace(
      /puffo_core:\n(?: {2}.*\n)+/,
      `puffo_core:\n${Object.entries(source.puffo_core)
        .map(([name, value]) => `  ${name}: "${value}"\n`)
        .join('')}`,
    );
    const began = performance.now();
    writeFileSync(configPath('second'), yaml);
    await until('the connection', async () => (await summary('second'))?.connection === 'online');
    expect(performance.now() - began).toBeLessThan(promised(2000));
  });

  it('stay silent while paused and answer missed messages after resume', async () => {
    expect(await kennel.call('agents.pause', { agent: 'guide' })).toMatchObject({
      life: 'paused',
      dot: 'offline',
    });
    const paused = parse(readFileSync(configPath('guide'), 'utf8')) as { state: string };
    expect(paused.state).toBe('paused');
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'echo later' });
    await kennel.call('agents.resume', { agent: 'guide' });
    await until('guide to be back', async () => (await summary('guide'))?.connection === 'online');
    expect((await answerTo(kennel, sent.roomId, sent.messageId)).text).toContain('later');
  });

  it('keep the last good config while the file is invalid, and report where (F20)', async () => {
    const good = readFileSync(configPath('guide'), 'utf8');
    writeFileSync(configPath('guide'), `${good}\nruntime: {unclosed\n`);
    const broken = await until('the error', async () => {
      const agent = await summary('guide');
      return agent?.configError ? agent : undefined;
    });
    expect(broken).toMatchObject({ life: 'running', connection: 'online' });
    expect(broken.configError?.where).toMatch(/agent\.yml.*line \d+/);
    expect(await doctorOn('agent-guide')).toMatchObject({ status: 'fail' });
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'echo still here' });
    expect((await answerTo(kennel, sent.roomId, sent.messageId)).text).toContain('still here');
    const refused = await kennel.tryCall('agents.writeConfig', { agent: 'guide', yaml: 'runtime: [' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(readFileSync(configPath('guide'), 'utf8')).toContain('unclosed');
    writeFileSync(configPath('guide'), good);
    await until('the error to be gone', async () => (await summary('guide'))?.configError === null);
  });

  it('follow their triggers and show the reason for staying silent', async () => {
    const { agent } = await kennel.call('agents.setRuntime', { agent: 'guide', onDm: false });
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'echo nothing' });
    const mark = await until('the mark', async () => {
      const { messages } = await kennel.call('chat.history', { room: sent.roomId });
      return messages.find(({ id }) => id === sent.messageId)?.marks[0];
    });
    expect(mark).toMatchObject({ slug: agent.slug, state: 'silent', reason: 'dm_off' });
  });

  it('leave the folder and the agent list when archived or deleted', async () => {
    const agents = follow<Record<string, AgentSummary>>(kennel.host, 'agents');
    const { path: moved } = await kennel.call('agents.archive', { agent: 'checker' });
    expect(existsSync(path.join(moved, 'agent.yml'))).toBe(true);
    await kennel.call('agents.delete', { agent: 'guide' });
    expect(existsSync(configPath('guide'))).toBe(false);
    await until('an empty list', () => Object.keys(agents.state()).length === 0);
    agents.stop();
  });

  it('stay in the folder if archiving through the config file fails; the host keeps running (F4)', async () => {
    await kennel.call('agents.create', { id: 'bot-1', provider: 'scripted' });
    await until('the agent online', async () => (await summary('bot-1'))?.connection === 'online');
    // The folder of archived agents cannot be made.
    writeFileSync(path.join(folder.home, 'archived'), 'in the way');
    const requests = path.join(folder.home, 'agents', 'bot-1', '.puffo-agent');
    mkdirSync(requests, { recursive: true });
    writeFileSync(path.join(requests, 'archive.flag'), 'requested');
    await until('the agent stopped', async () => (await summary('bot-1'))?.connection !== 'online');
    for (let turn = 0; turn < 20; turn += 1) await kennel.call('host.view', {});
    expect(await summary('bot-1')).toBeDefined();
    expect(existsSync(configPath('bot-1'))).toBe(true);
  });

  it('keep their spaces and device, and keep answering, if archiving fails (T7)', async () => {
    const { spaceId: space } = await kennel.call('setup.tryDemo', {});
    const slug = (await summary('guide'))?.slug;
    // The folder of archived agents cannot be made.
    writeFileSync(path.join(folder.home, 'archived'), 'in the way');
    expect(await kennel.tryCall('agents.archive', { agent: 'guide' })).toMatchObject({ ok: false });
    await until('the agent online again', async () => (await summary('guide'))?.connection === 'online');
    const { members } = await kennel.call('spaces.members', { space });
    expect(members.map((member) => member.slug)).toContain(slug);
    expect(existsSync(path.join(folder.home, 'operator', 'retired-agents.json'))).toBe(false);
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'echo still yours' });
    expect((await answerTo(kennel, sent.roomId, sent.messageId)).text).toContain('still yours');
  });

  it('lose their spaces and device on the server when archived or deleted, for good (T7)', async () => {
    const { spaceId: space } = await kennel.call('setup.tryDemo', {});
    const slugs = async () =>
      (await kennel.call('spaces.members', { space })).members.map(({ slug }) => slug);
    const [guide, checker] = [(await summary('guide'))?.slug, (await summary('checker'))?.slug];
    expect(await slugs()).toEqual(expect.arrayContaining([guide, checker]));
    // Archives the running agent and deletes the paused one.
    await kennel.call('agents.pause', { agent: 'checker' });
    const { path: moved } = await kennel.call('agents.archive', { agent: 'guide' });
    await kennel.call('agents.delete', { agent: 'checker' });
    const left = await slugs();
    expect(left).toHaveLength(1);
    // The restored folder has the same identity, which is revoked on the server.
    renameSync(moved, path.join(folder.home, 'agents', 'guide'));
    const back = await until('it to be told', async () => {
      const agent = await summary('guide');
      return agent?.error ? agent : undefined;
    });
    expect(back.error?.message).toContain('revoked');
  });

  it('keep their identity with keepIdentity and connect again when moved back', async () => {
    const { path: moved } = await kennel.call('agents.archive', { agent: 'guide', keepIdentity: true });
    renameSync(moved, path.join(folder.home, 'agents', 'guide'));
    await until('it to be online', async () => (await summary('guide'))?.connection === 'online');
  });

  it('sync name and role to the server, and return a warning while paused', async () => {
    const edited = await kennel.call('agents.edit', {
      agent: 'guide',
      displayName: 'Guida',
      role: 'host: welcomes',
      soul: '# Title\n\nTwo\n\n# parts',
    });
    expect(edited).toMatchObject({
      warning: '',
      agent: { displayName: 'Guida', role: 'host: welcomes', roleShort: 'host' },
    });
    await until('the new name in the rooms', async () => {
      const { rooms } = await kennel.call('chat.rooms', {});
      return Object.values(rooms).some((room) => room.kind === 'dm' && room.name === 'Guida');
    });
    const detail = await kennel.call('agents.get', { agent: 'guide' });
    expect(detail.soul).toContain('Two');
    expect(detail.soul).toContain('parts');
    await kennel.call('agents.pause', { agent: 'guide' });
    const offline = await kennel.call('agents.edit', { agent: 'guide', displayName: 'Guide' });
    expect(englishText(offline.warning)).not.toBe('');
  });

  it('show "needs you" while their model lacks a key', async () => {
    const set = await kennel.call('agents.setRuntime', { agent: 'guide', provider: 'openai', model: 'm' });
    expect(englishText(set.warning)).toContain('needs a key');
    expect(await summary('guide')).toMatchObject({ dot: 'needs_you', life: 'running' });
    expect((await summary('guide'))?.error?.message).toContain('needs a key');
    await until('the count', async () => (await kennel.call('host.view', {})).agents.needsYou === 1);
    await kennel.call('agents.setRuntime', { agent: 'guide', provider: 'scripted', model: '' });
    await until('the green dot', async () => (await summary('guide'))?.dot === 'idle');
  });

  it('show a failed turn as error until a turn succeeds', async () => {
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'fail' });
    const failed = await until(
      'the red dot',
      async () => {
        const agent = await summary('guide');
        return agent?.dot === 'error' ? agent : undefined;
      },
      60_000,
    );
    expect(failed.error?.message).not.toBe('');
    expect(inEnglish(await doctorOn('agent-guide-work'))).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining(failed.error?.message ?? '?') as string,
    });
    const { messages } = await kennel.call('chat.history', { room: sent.roomId });
    expect(messages.find(({ id }) => id === sent.messageId)?.marks[0]).toMatchObject({ state: 'failed' });
    await kennel.call('chat.send', { to: 'guide', text: 'echo fine' });
    await until('the green dot', async () => (await summary('guide'))?.dot === 'idle');
  });

  it('clear a failed turn on pause or restart', async () => {
    await kennel.call('chat.send', { to: 'guide', text: 'fail' });
    await until('the red dot', async () => (await summary('guide'))?.dot === 'error', 60_000);
    await kennel.call('agents.pause', { agent: 'guide' });
    expect(await summary('guide')).toMatchObject({ life: 'paused', error: null });
    await kennel.call('agents.resume', { agent: 'guide' });
    await until('the green dot', async () => (await summary('guide'))?.dot === 'idle');
  });
});
