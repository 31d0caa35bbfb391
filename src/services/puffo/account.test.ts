import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRig, must, type Rig, until } from '../../../test/fakes/puffo-rig.ts';

describe('an account on a real relay', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await createRig();
  });
  afterEach(() => rig.stop());

  it('enrols a person and an agent, joins by invitation, and both read what the other says', async () => {
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
});
