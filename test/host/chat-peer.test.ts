import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/contract/model.ts';
import { mintRelayInvite, startTeamRelay } from '../../src/host/relay/team-relay.ts';
import { ChatPeer, type Invitation, type Told } from '../peers/chat-peer.ts';
import { type Freshness, sendCoordinated } from '../peers/newer-agent.ts';
import type { FileMeta } from '../peers/peer-seal.ts';
import { newHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = newHome();
const dataDir = `${folder.home}-relay`;
let relay: { readonly url: string; stop(): Promise<void> };
let kennel: TestHost;
let ada = '';
let bot = '';
/** An operator of the 0.8 era, and the agent that she provisioned. */
let paula: ChatPeer;
let helper: ChatPeer;
/** A stranger to all of them. */
let quinn: ChatPeer;
let garden: { readonly spaceId: string; readonly channelId: string };

async function inviteCode(): Promise<string> {
  const code = await mintRelayInvite(dataDir);
  if (!code.ok) throw new Error(code.error.message);
  return code.value;
}

beforeAll(async () => {
  const started = await startTeamRelay({ dataDir, listen: { host: '127.0.0.1', port: 0 } });
  if (!started.ok) throw new Error(started.error.message);
  relay = started.value;
  kennel = await startHost(folder.home, { env: { KENNEL_PASSPHRASE: 'correct horse' } });
  const signUp = { serverUrl: relay.url, inviteCode: await inviteCode(), username: 'ada' };
  ada = (await kennel.call('setup.signUp', signUp)).slug;
  bot = (await kennel.call('agents.create', { id: 'bot', provider: 'scripted' })).agent.slug ?? '';
  paula = await ChatPeer.signUp(relay.url, await inviteCode(), 'paula');
  helper = await paula.registerAgent('helper');
  quinn = await ChatPeer.signUp(relay.url, await inviteCode(), 'quinn');
  await helper.connect();
  await paula.connect();
}, 60_000);
afterAll(async () => {
  helper.close();
  paula.close();
  await kennel.stop();
  await relay.stop();
  folder.remove();
  rmSync(path.resolve(dataDir), { recursive: true, force: true });
});

const heard = (by: ChatPeer, fits: (told: Told) => boolean): Promise<Told> =>
  until(`${by.slug} to hear it (odd: ${by.odd.join('; ')})`, () => by.told.find(fits));
const shown = (room: string, fits: (message: ChatMessage) => boolean): Promise<ChatMessage> =>
  until('the message in the chat', async () => {
    const { messages } = await kennel.call('chat.history', { room, limit: 200 });
    return messages.find(fits);
  });
const invited = (by: ChatPeer, spaceId: string): Promise<Invitation> =>
  until('the invitation', async () =>
    (await by.invitations()).find((one) => one.space_id === spaceId && one.scope === 'space'),
  );

it('A 0.8 client signs up, registers an agent, creates a space and lets the agent join', async () => {
  expect([paula.slug, helper.slug]).toEqual([
    expect.stringMatching(/^paula-[0-9a-f]{4}$/),
    expect.stringMatching(/^helper-[0-9a-f]{4}$/),
  ]);
  const seen = await paula.known(helper.slug);
  expect(seen.operatorRoot).toBe(paula.keys.root.public);
  expect([...seen.devices.keys()]).toEqual([helper.keys.deviceId]);
  garden = await paula.createSpace('Garden');
  // A server adds no member by itself: the agent answers the invitations of its operator and of others.
  await paula.invite(garden.spaceId, helper.slug);
  await helper.answer(await invited(helper, garden.spaceId), true);
  expect((await helper.spaces()).map(({ name }) => name)).toEqual(['Garden']);
  const shed = await quinn.createSpace('Shed');
  await quinn.invite(shed.spaceId, helper.slug);
  const invitation = await invited(helper, shed.spaceId);
  expect(invitation).toMatchObject({ inviter_slug: quinn.slug });
  await helper.answer(invitation, true);
  expect((await helper.spaces()).map(({ name }) => name).sort()).toEqual(['Garden', 'Shed']);
  const [general] = await helper.channels(garden.spaceId);
  expect(general?.channel_id).toBe(garden.channelId);
});

it("The peer decrypts the operator's message and the chat its reply; the server keeps runs and status", async () => {
  const sent = await kennel.call('chat.send', { to: helper.slug, text: 'Grüße, how far are you? 🌱' });
  const told = await heard(helper, ({ id }) => id === sent.messageId);
  expect(told).toMatchObject({
    from: ada,
    kind: 'dm',
    content: 'Grüße, how far are you? 🌱',
    threadRoot: null,
  });
  expect(await helper.heartbeat('busy', told.id)).toBe(200);
  const run_id = await helper.begin(told.id);
  // Repeats the same request, as after a lost answer.
  expect(await helper.begin(told.id, run_id)).toBe(run_id);
  const answer = await helper.say({ dm: ada }, 'Half of it.', { thread: told.id, visible: false });
  await helper.finish([{ run_id, message_id: told.id }]);
  // The end of the run already set this state, so a repeated heartbeat is rate limited.
  expect(await helper.heartbeat('idle')).toBe(429);
  expect(await shown(sent.roomId, ({ id }) => id === answer)).toMatchObject({
    senderSlug: helper.slug,
    text: 'Half of it.',
    threadRootId: told.id,
    own: false,
    visible: false,
    encrypted: true,
  });
  const runs = (await helper.requests.ask('GET', `/messages/${told.id}/processing`)).json.runs;
  expect(runs).toMatchObject([{ run_id, agent_slug: helper.slug, succeeded: true }]);
  const status = (await paula.requests.ask('GET', `/agents/${helper.slug}/status`)).json;
  expect(status).toMatchObject({ status: 'idle' });
});

it('The operator invites the peer to a space and sees its status and processing marks', async () => {
  const den = await kennel.call('spaces.create', { name: 'Den' });
  await kennel.call('invites.send', { space: den.spaceId, who: helper.slug });
  const invitation = await invited(helper, den.spaceId);
  expect(invitation.inviter_slug).toBe(ada);
  await helper.answer(invitation, true);
  const { roomId, messageId } = await kennel.call('chat.send', { to: den.channelId, text: 'Who has time?' });
  const told = await heard(helper, ({ id }) => id === messageId);
  expect(told).toMatchObject({ kind: 'channel', channelId: den.channelId });
  const markOf = async (): Promise<string | undefined> => {
    const { messages } = await kennel.call('chat.history', { room: roomId });
    const marks = messages.find(({ id }) => id === messageId)?.marks;
    return marks?.find(({ slug }) => slug === helper.slug)?.state;
  };
  const presenceOf = async (): Promise<string | undefined> =>
    (await kennel.call('chat.rooms', {})).presence[helper.slug]?.state;
  const run_id = await helper.begin(messageId);
  await until('the mark of its work', async () => (await markOf()) === 'working');
  await until('that it is busy', async () => (await presenceOf()) === 'busy');
  await helper.say(den, 'I do.', { thread: messageId });
  await helper.finish([{ run_id, message_id: messageId }]);
  await until('the mark of its end', async () => (await markOf()) === 'done');
  await until('that it is idle', async () => (await presenceOf()) === 'idle');
});

it('A file is uploaded encrypted; the message contains only its metadata', async () => {
  const bytes = Buffer.from('rows and rows of carrots');
  const id = await helper.sayWithFile({ dm: ada }, 'The plan.', 'plan.txt', 'text/plain', bytes);
  expect(await shown(`dm:${helper.slug}`, (message) => message.id === id)).toMatchObject({
    text: 'The plan.',
    attachments: [{ filename: 'plan.txt', mimeType: 'text/plain', size: bytes.length }],
  });
  const own = await heard(helper, (told) => told.id === id);
  const { attachments } = own.content as unknown as { attachments: readonly FileMeta[] };
  expect(await helper.fetchFile(attachments[0] as FileMeta)).toEqual(bytes);
});

it("A Kennel agent and a peer agent read each other's messages in one channel", async () => {
  await paula.invite(garden.spaceId, bot);
  const asked = await until(
    'the question to the operator',
    async () =>
      (await kennel.call('approvals.list', {})).approvals.find(({ preview }) =>
        preview.body.includes('Garden'),
      ),
    45_000,
  );
  const answer = { type: 'allow', scope: 'once' } as const;
  await kennel.call('approvals.decide', { id: asked.id, digest: asked.digest, answer, surface: 'terminal' });
  const hasJoined = async (): Promise<boolean> =>
    (await paula.members(garden.spaceId, garden.channelId)).some(({ slug }) => slug === bot);
  await until('the bot to join', hasJoined);
  const root = await helper.say(garden, `@${bot} echo carrots`);
  const reply = await heard(helper, (told) => told.from === bot && told.threadRoot === root);
  expect(reply).toMatchObject({ kind: 'channel', channelId: garden.channelId });
  expect(String(reply.content)).toContain('carrots');
  expect((await heard(paula, ({ id }) => id === reply.id)).content).toBe(reply.content);
  // Another client leaves the name as it was typed.
  const named = await helper.say(garden, '@Bot echo parsley');
  const again = await heard(helper, (told) => told.from === bot && told.threadRoot === named);
  expect(again.content).toBe('parsley');
  expect([...helper.odd, ...paula.odd]).toEqual([]);
}, 120_000);

it('Messages sent while the peer was offline arrive once when it reconnects', async () => {
  helper.close();
  const { messageId } = await kennel.call('chat.send', { to: helper.slug, text: 'while you were away' });
  await until('it to be sent', async () => {
    const { messages } = await kennel.call('chat.history', { room: `dm:${helper.slug}` });
    return messages.some(({ id, delivery }) => id === messageId && delivery === 'sent');
  });
  await helper.connect();
  await heard(helper, ({ id }) => id === messageId);
  const ids = helper.told.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  await until('the acknowledgement to count', async () => {
    const { json } = await helper.requests.ask('GET', '/messages/pending');
    return (json.messages as readonly unknown[]).length === 0;
  });
});

it('A 2.0 agent posts to a channel only after it has read the latest message', async () => {
  const current = (seen: number, baseline: number | null): Freshness => ({
    mode: 'require_current',
    seen_seq: seen,
    context_baseline_seq: baseline,
  });
  const first = await helper.seal(garden, 'Watering now.');
  // A null baseline with nothing seen counts as current, because the history is not readable.
  const sent = await sendCoordinated(helper, first, current(0, null));
  if (sent.state !== 'sent') throw new Error('a newcomer was held');
  expect(sent.replay).toBe(false);
  const baseline = sent.freshness.context_baseline_seq;
  expect(baseline).toBe(sent.freshness.latest_seq_before_send);

  // A person on an old client writes meanwhile, which moves the head of the channel.
  const news = await paula.say(garden, 'It rains.');
  const draft = await helper.seal(garden, 'Watering still.');
  const held = await sendCoordinated(helper, draft, current(sent.seq, baseline));
  if (held.state !== 'held') throw new Error('a stale message was sent');
  expect(held).toMatchObject({ latest_envelope_id: news, blocking_sender_slug: paula.slug });
  const read = await heard(helper, ({ id }) => id === news);
  expect(read.seq).toBe(held.latest_seq);

  const revised = await helper.seal(garden, 'It rains, so I stop.');
  const answered = await sendCoordinated(helper, revised, current(read.seq, baseline));
  if (answered.state !== 'sent') throw new Error('a current message was held');
  const reached = await heard(paula, ({ id }) => id === revised.envelope_id);
  expect(reached).toMatchObject({ content: 'It rains, so I stop.', seq: answered.seq });
  expect(paula.told.map(({ id }) => id)).not.toContain(draft.envelope_id);

  // The answer was lost and the channel has moved on: the same body again returns the same message.
  await paula.say(garden, 'Thank you.');
  const replay = await sendCoordinated(helper, revised, current(read.seq, baseline));
  expect(replay).toEqual({ ...answered, replay: true });
  const anyway = await sendCoordinated(helper, draft, {
    ...current(read.seq, baseline),
    mode: 'send_anyway',
  });
  if (anyway.state !== 'sent') throw new Error('send_anyway was held');
  expect(anyway.freshness.latest_seq_before_send).toBeGreaterThan(answered.seq);
  await expect(
    sendCoordinated(helper, await helper.seal(garden, 'x'), current(anyway.seq + 1_000, baseline)),
  ).rejects.toThrow(': 409 ');
  expect([...helper.odd, ...paula.odd]).toEqual([]);
});

it('A 1.0 agent reports that it is paused or archived', async () => {
  for (const status of ['paused', 'archived', 'idle'] as const) {
    expect(await helper.heartbeat(status)).toBe(200);
    const { json } = await paula.requests.ask('GET', `/agents/${helper.slug}/status`);
    expect(json.status).toBe(status);
  }
});
