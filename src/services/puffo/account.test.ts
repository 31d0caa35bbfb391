import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createJumpingClock } from '../../../test/fakes/jumping-clock.ts';
import { promised } from '../../../test/fakes/patience.ts';
import { createRig, must, type Rig, type TestAccount, until } from '../../../test/fakes/puffo-rig.ts';
import { createSession } from '../../core/puffo/identity.ts';
import { signUp } from './registration.ts';

/** A running agent accepts its operator's invitation by itself; the server accepts none for it. */
const joined = (agent: TestAccount, spaceId: string): Promise<void> =>
  expect
    .poll(async () => {
      await agent.account.refreshRooms();
      return agent.account.rooms().spaces.map(({ id }) => id);
    })
    .toContain(spaceId);

describe('Account on a real relay', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await createRig();
  });
  afterEach(() => rig.stop());

  it('enrols a person and an agent, joins by invitation, and exchanges messages', async () => {
    const alice = rig.open(await rig.person('alice'), { watchRooms: true });
    await alice.online();
    const { spaceId, generalChannelId: channelId } = must(await alice.account.createSpace('Home'));
    const helper = rig.open(await rig.agent(alice, 'helper'));
    await helper.online();
    must(await alice.account.inviteToSpace(spaceId, helper.account.slug));
    await until('two members are seen', () => {
      const channel = alice.account.rooms().channels.find(({ id }) => id === channelId);
      return channel?.members.length === 2;
    });

    const question = alice.say({ spaceId, channelId }, 'are you there?');
    const heard = await until('the agent hears it', () => helper.accepted[0]);
    expect(heard).toMatchObject({
      envelopeId: question,
      roomId: channelId,
      senderSlug: alice.account.slug,
      content: 'are you there?',
      encrypted: true,
    });
    expect(helper.account.channelName(channelId)).toBe('general');
    expect(helper.account.spaceName(spaceId)).toBe('Home');
    await until('the server took it', () => alice.settled.find(({ id }) => id === question));
    expect(alice.settled).toEqual([{ id: question, state: 'sent', error: null }]);

    helper.say({ spaceId, channelId }, 'yes');
    const reply = await until('the answer arrives', () => alice.accepted[0]);
    expect(reply.content).toBe('yes');
    expect(await alice.account.person(helper.account.slug)).toMatchObject({
      displayName: 'helper',
      agent: true,
    });
  });

  it('delivers direct messages to both sides, and to an offline client when it returns', async () => {
    const alice = rig.open(await rig.person('alice'));
    const bobIdentity = await rig.person('bob');
    const bob = rig.open(bobIdentity);
    await Promise.all([alice.online(), bob.online()]);
    alice.say({ dm: bobIdentity.slug }, 'one');
    await until('one', () => bob.accepted[0]);
    expect(bob.accepted[0]).toMatchObject({ roomId: `dm:${alice.account.slug}`, kind: 'dm', content: 'one' });
    await bob.account.stop();
    alice.say({ dm: bobIdentity.slug }, 'two');
    alice.say({ dm: bobIdentity.slug }, 'three');
    await until('sent', () => alice.settled.length === 3);
    const again = rig.open(bobIdentity, { store: bob.store, session: bob.session });
    await until('caught up', () => again.accepted.length === 2);
    expect(again.accepted.map(({ content }) => content)).toEqual(['two', 'three']);
  });

  it('sends to a device that joined after earlier messages', async () => {
    const alice = rig.open(await rig.person('alice'));
    await alice.online();
    const { spaceId, generalChannelId: channelId } = must(await alice.account.createSpace('Home'));
    alice.say({ spaceId, channelId }, 'alone');
    await until('sent', () => alice.settled[0]);
    const late = rig.open(await rig.agent(alice, 'late'));
    await late.online();
    must(await alice.account.inviteToSpace(spaceId, late.account.slug));
    await joined(late, spaceId);
    alice.say({ spaceId, channelId }, 'welcome');
    await until('the newcomer hears it', () => late.accepted[0]);
    expect(late.accepted[0]?.content).toBe('welcome');
  });

  it('queues messages while the relay is down, shows offline, and sends them afterwards', async () => {
    const alice = rig.open(await rig.person('alice'));
    const bob = rig.open(await rig.person('bob'));
    await Promise.all([alice.online(), bob.online()]);
    await rig.stopRelay();
    await until('offline', () => alice.account.connection().state !== 'online');
    alice.say({ dm: bob.account.slug }, 'are you back?');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(alice.settled).toEqual([]);
    await rig.startRelay();
    await until('it arrives', () => bob.accepted[0]);
    expect(alice.settled.map(({ state }) => state)).toEqual(['sent']);
  });

  it('receives a burst of 300 messages in order, each once, in few commits', async () => {
    const alice = rig.open(await rig.person('alice'));
    const bob = rig.open(await rig.person('bob'));
    await Promise.all([alice.online(), bob.online()]);
    alice.say({ dm: bob.account.slug }, 'warm');
    await until('warm', () => bob.accepted.length === 1);
    await bob.account.stop();
    for (let n = 0; n < 300; n += 1) alice.say({ dm: bob.account.slug }, `n${n}`);
    await until('all sent', () => alice.settled.length === 301);
    let commits = 0;
    const counting = {
      ...bob.store,
      accept: (rows: Parameters<typeof bob.store.accept>[0]) => {
        commits += 1;
        return bob.store.accept(rows);
      },
    };
    const again = rig.open(bob.identity, { store: counting, session: bob.session });
    await until('all taken', () => again.accepted.length === 300);
    expect(again.accepted.map(({ content }) => content)).toEqual(
      Array.from({ length: 300 }, (_, n) => `n${n}`),
    );
    expect(commits).toBeLessThanOrEqual(4);
    await again.account.stop();
    const third = rig.open(bob.identity, { store: bob.store, session: again.session });
    await third.online();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(third.accepted).toEqual([]);
  });

  it('F8: sends a message written while the clock was two days ahead once the clock is set, with the time of sending', async () => {
    const clock = createJumpingClock(20, rig.clock.now());
    const alice = rig.open(await rig.person('alice'), { clock });
    const bob = rig.open(await rig.person('bob'));
    await Promise.all([alice.online(), bob.online()]);
    clock.jump(2 * 86_400_000);
    const id = alice.say({ dm: bob.account.slug }, 'from the future');
    await until('a failed try', () => alice.store.outbox(id)?.attempts);
    expect(alice.store.outbox(id)).toMatchObject({ state: 'queued' });
    clock.set(rig.clock.now());
    alice.account.kickOutbox();
    const heard = await until('bob hears it', () => bob.accepted[0]);
    expect(bob.refused).toEqual([]);
    expect(heard.content).toBe('from the future');
    expect(Math.abs(heard.sentAt - rig.clock.now())).toBeLessThan(promised(60_000));
    expect(alice.store.message(id)?.sentAt).toBe(heard.sentAt);
  });

  it('F9: delivers messages that waited longer than a subkey lives, in order, with the time of sending', async () => {
    const late = createJumpingClock(1, rig.clock.now() - 3 * 86_400_000);
    const alice = rig.open(await rig.person('alice'));
    const bob = rig.open(await rig.person('bob'));
    await Promise.all([alice.online(), bob.online()]);
    await rig.stopRelay();
    await until('offline', () => alice.account.connection().state !== 'online');
    const texts = ['one', 'two', 'three'];
    for (const text of texts) alice.say({ dm: bob.account.slug }, text, late.now());
    await rig.startRelay();
    await until('bob hears them', () => bob.accepted.length + bob.refused.length >= texts.length);
    expect(bob.refused).toEqual([]);
    expect(bob.accepted.map(({ content }) => content)).toEqual(texts);
    const times = bob.accepted.map(({ sentAt }) => sentAt);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(alice.store.history({ roomId: `dm:${bob.account.slug}`, limit: 9 }).messages).toMatchObject(
      texts.map((content, n) => ({ content, sentAt: times[n] })),
    );
  });

  it('registers a new subkey if the server does not know the stored one', async () => {
    const identity = await rig.person('alice');
    const stranger = await rig.person('stranger');
    const lost = createSession(rig.crypto, stranger.secrets, stranger.deviceId, rig.clock.now());
    const alice = rig.open(identity, { session: lost });
    await alice.online();
    expect(alice.session?.subkeyId).not.toBe(lost.subkeyId);
  });

  it('leaves a stranger’s invitation open, and joins the operator’s space', async () => {
    const alice = rig.open(await rig.person('alice'));
    const mallory = rig.open(await rig.person('mallory'));
    await Promise.all([alice.online(), mallory.online()]);
    const helper = rig.open(await rig.agent(alice, 'helper'));
    await helper.online();
    const trap = must(await mallory.account.createSpace('Trap'));
    const home = must(await alice.account.createSpace('Home'));
    must(await mallory.account.inviteToSpace(trap.spaceId, helper.account.slug));
    await until('the invitation is told', () => helper.invites[0]);
    expect(helper.invites[0]).toMatchObject({
      scope: 'space',
      spaceName: 'Trap',
      inviterSlug: mallory.account.slug,
    });
    must(await alice.account.inviteToSpace(home.spaceId, helper.account.slug));
    await joined(helper, home.spaceId);
    expect(helper.account.rooms().spaces.map(({ name }) => name)).toEqual(['Home']);
  });

  it('joins when a person accepts an invitation, and declines the others', async () => {
    const alice = rig.open(await rig.person('alice'));
    const bob = rig.open(await rig.person('bob'));
    await Promise.all([alice.online(), bob.online()]);
    const helper = rig.open(await rig.agent(alice, 'helper'));
    await helper.online();
    for (const name of ['Yes', 'No']) {
      const { spaceId } = must(await bob.account.createSpace(name));
      must(await bob.account.inviteToSpace(spaceId, helper.account.slug));
    }
    await until('both are told', () => helper.invites[1]);
    for (const invite of helper.invites)
      must(await helper.account.answerInvite(invite, invite.spaceName === 'Yes'));
    await helper.account.refreshRooms();
    expect(helper.account.rooms().spaces.map(({ name }) => name)).toEqual(['Yes']);
    for (const invite of helper.invites)
      expect(await helper.account.answerInvite(invite, true)).toMatchObject({ ok: false });
  });

  it('reports its status and its runs with their end', async () => {
    const alice = rig.open(await rig.person('alice'), { watchRooms: true });
    await alice.online();
    const { spaceId, generalChannelId: channelId } = must(await alice.account.createSpace('Home'));
    const helper = rig.open(await rig.agent(alice, 'helper'));
    await helper.online();
    must(await alice.account.inviteToSpace(spaceId, helper.account.slug));
    await joined(helper, spaceId);
    const id = alice.say({ spaceId, channelId }, 'work');
    await until('heard', () => helper.accepted[0]);
    helper.account.processingStarted({ runId: 'run_1', messageId: id });
    await until('started', () => alice.frames.some((frame) => frame.run_id === 'run_1'));
    helper.account.processingEnded([{ runId: 'run_1', messageId: id, succeeded: true }]);
    await until('ended', () => alice.frames.some((frame) => frame.succeeded === true));
    const status = await alice.account.client.json(
      'GET',
      `/agents/${helper.account.slug}/status`,
      z.looseObject({ status: z.string() }),
    );
    expect(status).toMatchObject({ ok: true, value: { status: 'idle' } });
  });

  it('updates its profile and picture, and uploads and downloads files', async () => {
    const alice = rig.open(await rig.person('alice'));
    await alice.online();
    must(
      await alice.account.updateProfile({
        displayName: 'Alice A.',
        role: 'host: keeps order',
        roleShort: 'host',
      }),
    );
    expect(await alice.account.person(alice.account.slug)).toMatchObject({
      displayName: 'Alice A.',
      roleShort: 'host',
      agent: false,
    });
    const picture = Uint8Array.from({ length: 5_000 }, (_, n) => n % 251);
    const { blobId } = must(await alice.account.uploadBlob(picture));
    must(await alice.account.updateProfile({ avatarUrl: `/blobs/${blobId}` }));
    const back = must(await alice.account.downloadBlob(blobId));
    expect(Buffer.from(back).equals(picture)).toBe(true);
    const tooLong = await alice.account.updateProfile({ displayName: 'x'.repeat(61) });
    expect(tooLong).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  it('refuses a used invite code', async () => {
    const inviteCode = rig.relay.createInvite();
    const ask = (username: string) =>
      signUp({ serverUrl: rig.relay.url, inviteCode, username, crypto: rig.crypto, clock: rig.clock });
    expect((await ask('first')).ok).toBe(true);
    expect(await ask('second')).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });

  it('stops within a second, even while sending', async () => {
    const alice = rig.open(await rig.person('alice'));
    const bob = await rig.person('bob');
    await alice.online();
    for (let n = 0; n < 50; n += 1) alice.say({ dm: bob.slug }, `n${n}`);
    const from = performance.now();
    await alice.account.stop();
    expect(performance.now() - from).toBeLessThan(promised(1_000));
    const settled = alice.settled.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(alice.settled.length).toBe(settled);
  });
});
