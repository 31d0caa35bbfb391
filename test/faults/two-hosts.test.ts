import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mintRelayInvite, startTeamRelay } from '../../src/host/relay/team-relay.ts';
import { newHome, startHost, type TestHost, until } from '../host/host-rig.ts';

const first = newHome();
const second = newHome();
const dataDir = `${first.home}-relay`;
const env = { KENNEL_PASSPHRASE: 'correct horse' };
let relay: { readonly url: string; stop(): Promise<void> };
let one: TestHost;
let two: TestHost;

beforeAll(async () => {
  mkdirSync(first.home, { recursive: true });
  writeFileSync(path.join(first.home, 'daemon.yml'), 'bridge:\n  enabled: false\n');
  const started = await startTeamRelay({ dataDir, listen: { host: '127.0.0.1', port: 0 } });
  if (!started.ok) throw new Error(started.error.message);
  relay = started.value;
  const code = await mintRelayInvite(dataDir);
  if (!code.ok) throw new Error(code.error.message);
  one = await startHost(first.home, { env });
  await one.call('setup.signUp', { serverUrl: relay.url, inviteCode: code.value, username: 'ada' });
  await one.call('agents.create', { id: 'bot', provider: 'scripted' });
  await until('the agent', async () => (await stateOf(one)) === 'online');
  await one.stop();
  cpSync(first.home, second.home, { recursive: true, filter: (file) => !statSync(file).isSocket() });
  one = await startHost(first.home, { env });
  await until('the agent', async () => (await stateOf(one)) === 'online');
}, 60_000);
afterAll(async () => {
  await one.stop();
  await two.stop();
  await relay.stop();
  first.remove();
  second.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

const stateOf = async (kennel: TestHost): Promise<string> =>
  (await kennel.call('agents.get', { agent: 'bot' })).connection;
const answers = async (kennel: TestHost, room: string, root: string): Promise<number> => {
  const { messages } = await kennel.call('chat.history', { room, limit: 200 });
  return messages.filter(({ threadRootId, own }) => threadRootId === root && !own).length;
};
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_500));

it('A copy of a data folder on another computer yields, reports why and answers nothing (F18)', async () => {
  two = await startHost(second.home, { env });
  await until('the copy to yield', async () => (await stateOf(two)) === 'blocked');
  const agent = await two.call('agents.get', { agent: 'bot' });
  expect(agent.error).toMatchObject({
    code: 'held',
    message: expect.stringContaining('Another computer'),
  });
  const problem = await until('the problem', async () =>
    (await two.call('host.view', {})).problems.find(({ id }) => id === 'connection'),
  );
  expect(problem).toMatchObject({ severity: 'error' });
  expect(await stateOf(one)).toBe('online');
  const sent = await one.call('chat.send', { to: 'bot', text: 'echo who is there' });
  await until('an answer', async () => (await answers(one, sent.roomId, sent.messageId)) > 0);
  await settled();
  expect(await answers(one, sent.roomId, sent.messageId)).toBe(1);
  expect((await two.call('chat.history', { room: sent.roomId })).messages).toEqual([]);
}, 60_000);

it('The copy takes over when the first host stops, and does not send messages written meanwhile (F18)', async () => {
  const held = await two.call('chat.send', { to: 'bot', text: 'echo said twice' });
  const deliveryOf = async (kennel: TestHost): Promise<string | undefined> => {
    const { messages } = await kennel.call('chat.history', { room: held.roomId });
    return messages.find(({ id }) => id === held.messageId)?.delivery;
  };
  await one.stop();
  await until('the copy to take over', async () => (await stateOf(two)) === 'online', 60_000);
  await until('the operator of the copy', async () => (await deliveryOf(two)) === 'failed', 60_000);
  const problems = async () => (await two.call('host.view', {})).problems.map(({ id }) => id);
  await until('the problem to be over', async () => !(await problems()).includes('connection'), 60_000);
  const sent = await two.call('chat.send', { to: 'bot', text: 'echo here I am' });
  await until('an answer', async () => (await answers(two, sent.roomId, sent.messageId)) > 0);
  expect(await answers(two, held.roomId, held.messageId)).toBe(0);
  expect(await answers(two, sent.roomId, sent.messageId)).toBe(1);
}, 120_000);
