import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mintRelayInvite, startTeamRelay } from '../../src/host/relay/team-relay.ts';
import { answerTo, newHome, startHost, type TestHost, until } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let dataDir = '';
const running: { stop(): Promise<void> }[] = [];

const env = { KENNEL_PASSPHRASE: 'correct horse' };
const start = async (): Promise<TestHost> => {
  const kennel = await startHost(folder.home, { env });
  running.push(kennel);
  return kennel;
};
const startRelay = async (port: number) => {
  const relay = await startTeamRelay({ dataDir, listen: { host: '127.0.0.1', port } });
  if (!relay.ok) throw new Error(relay.error.message);
  running.push(relay.value);
  return relay.value;
};

beforeEach(() => {
  folder = newHome();
  dataDir = path.join(folder.home, '..', `${path.basename(folder.home)}-relay`);
});
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.stop();
  folder.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

it('The host joins a self-hosted relay by invitation, adds an agent, and reconnects after an outage', async () => {
  const relay = await startRelay(0);
  const invite = await mintRelayInvite(dataDir);
  if (!invite.ok) throw new Error(invite.error.message);
  const kennel = await start();
  const signUp = { serverUrl: relay.url, inviteCode: invite.value, username: 'ada', displayName: 'Ada' };
  const { slug } = await kennel.call('setup.signUp', signUp);
  expect(slug).toMatch(/^ada-[0-9a-f]{4}$/);
  expect(await kennel.call('host.view', {})).toMatchObject({
    firstRun: false,
    demo: false,
    vault: { kind: 'passphrase' },
  });
  expect(await kennel.tryCall('setup.signUp', signUp)).toMatchObject({ error: { code: 'conflict' } });
  expect(await kennel.tryCall('setup.tryDemo', {})).toMatchObject({ error: { code: 'conflict' } });

  const made = await kennel.call('agents.create', { id: 'bot', provider: 'scripted' });
  expect(made).toMatchObject({ registered: true, note: '' });
  await until(
    'the agent',
    async () => (await kennel.call('agents.get', { agent: 'bot' })).connection === 'online',
  );
  const sent = await kennel.call('chat.send', { to: 'bot', text: 'echo hello there' });
  expect((await answerTo(kennel, sent.roomId, sent.messageId)).text).toContain('hello there');
  expect(await kennel.call('chat.serverView', { room: sent.roomId })).toMatchObject({
    available: false,
    rows: [],
  });

  await relay.stop();
  await until(
    'the agent to notice',
    async () => (await kennel.call('agents.get', { agent: 'bot' })).dot === 'offline',
  );
  const { checks } = await kennel.call('host.doctor', {});
  expect(checks).toContainEqual(expect.objectContaining({ id: 'server', status: 'warn' }));
  const late = await kennel.call('chat.send', { to: 'bot', text: 'echo while away' });
  const pending = await kennel.call('chat.history', { room: late.roomId });
  expect(pending.messages.at(-1)).toMatchObject({ id: late.messageId, delivery: 'pending' });
  await startRelay(relay.port);
  const answer = await until(
    'the late answer',
    async () => {
      const { messages } = await kennel.call('chat.history', { room: late.roomId });
      return messages.find(({ threadRootId, own }) => threadRootId === late.messageId && !own);
    },
    45_000,
  );
  expect(answer.text).toContain('while away');
}, 90_000);
