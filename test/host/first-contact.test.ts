import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { must, type TestAccount } from '../fakes/puffo-rig.ts';
import { type AudienceWorld, audienceWorld, heardFrom, until } from './audience-rig.ts';

let world: AudienceWorld;

beforeAll(async () => {
  world = await audienceWorld();
  world.writeNote('people', 'the password is heron-note\n');
}, 60_000);
afterAll(() => world.stop());

const answers = (person: TestAccount): readonly string[] => heardFrom(person, world.bot);

/** Sends a message, and waits until the agent has stored and handled it. */
async function write(person: TestAccount, text: string): Promise<string> {
  const id = person.say({ dm: world.bot }, text);
  await until('the bot to have it', async () => {
    const why = await world.kennel.tryCall('chat.why', { message: id });
    return why.ok && why.value.agents.find(({ agentId, state }) => agentId === 'bot' && state !== 'unseen');
  });
  return id;
}

const whyOf = async (message: string) => {
  const { agents } = await world.kennel.call('chat.why', { message });
  return englishText(agents.find(({ agentId }) => agentId === 'bot')?.text ?? '');
};

const contactOf = async (person: TestAccount) => {
  const { contacts } = await world.kennel.call('contacts.list', {});
  return contacts.find(({ slug }) => slug === person.identity.slug);
};

const ofContacts = async () => (await world.waiting()).filter(({ kind }) => kind === 'contact');

const questionAbout = (person: TestAccount) =>
  world.question(
    ({ kind, title }) => kind === 'contact' && englishText(title).includes(person.identity.slug),
  );

describe('T9: Person unknown to the operator writes to an agent', () => {
  it('is held and asked about once, also over a restart, and answered once accepted', async () => {
    const mallory = await world.person('mallory', 'unknown');
    const first = await write(mallory, 'hello, who are you?');
    const question = await questionAbout(mallory);
    await write(mallory, 'are you there?');
    expect(question).toMatchObject({ agentId: 'bot', kind: 'contact', subject: 'first_contact' });
    expect(question.preview.body).toContain('"hello, who are you?"');
    expect(await whyOf(first)).toBe('did not answer: you have not accepted the sender yet.');
    expect(await contactOf(mallory)).toMatchObject({ state: 'waiting', messages: 2, agents: ['bot'] });

    await world.restart();
    const again = await questionAbout(mallory);
    expect(again.id).toBe(question.id);
    expect(await ofContacts()).toHaveLength(1);
    expect(answers(mallory)).toEqual([]);
    expect(world.askedWith('who are you')).toEqual([]);

    await world.decide(again, { type: 'allow', scope: 'once' });
    await until('an answer', () => answers(mallory).length > 0);
    expect(world.askedWith('who are you')).not.toEqual([]);
    expect(world.askedWith('are you there')).not.toEqual([]);
    expect(await contactOf(mallory)).toMatchObject({ state: 'accepted' });
    const heard = answers(mallory).length;
    mallory.say({ dm: world.bot }, 'and now?');
    await until('the next answer', () => answers(mallory).length > heard);
    expect(await ofContacts()).toEqual([]);
    const { lines } = await world.kennel.call('audit.list', { limit: 100 });
    expect(lines.filter(({ kind }) => kind === 'contact')).toMatchObject([
      { outcome: 'accepted', detail: `${mallory.identity.slug} at ${world.rig.relay.url}` },
    ]);
  });

  it('is asked about again after the decision was removed, also over a restart', async () => {
    const trudy = await world.person('trudy', 'unknown');
    await write(trudy, 'hello');
    const question = await questionAbout(trudy);
    await world.decide(question, { type: 'allow', scope: 'once' });
    await until('an answer', () => answers(trudy).length > 0);
    await world.restart();
    await world.kennel.call('contacts.forget', { slug: trudy.identity.slug });
    const heard = answers(trudy).length;
    const next = await write(trudy, 'me again');
    const again = await questionAbout(trudy);
    expect(again.id).not.toBe(question.id);
    expect(await whyOf(next)).toBe('did not answer: you have not accepted the sender yet.');
    expect(answers(trudy)).toHaveLength(heard);
    await world.decide(again, { type: 'deny', reason: '' });
    await until('the block', async () => (await contactOf(trudy))?.state === 'blocked');
  });

  it('stays blocked after a denial until the operator accepts them', async () => {
    const bob = await world.person('bob', 'unknown');
    await write(bob, 'buy my things');
    await world.decide(await questionAbout(bob), { type: 'deny', reason: '' });
    await until('the block', async () => (await contactOf(bob))?.state === 'blocked');
    const next = await write(bob, 'buy them now');
    expect(await whyOf(next)).toBe('did not answer: you have blocked the sender.');
    await world.restart();
    await write(bob, 'please');
    expect(await ofContacts()).toEqual([]);
    expect(answers(bob)).toEqual([]);

    await world.kennel.call('contacts.accept', { slug: bob.identity.slug });
    bob.say({ dm: world.bot }, 'sorry');
    await until('an answer', () => answers(bob).length > 0);
    expect(world.askedWith('buy')).toEqual([]);
  });

  it('can be accepted by command or approval, and is unknown again once removed', async () => {
    const zoe = await world.person('zoe', 'unknown');
    await write(zoe, 'one');
    const question = await questionAbout(zoe);
    const { slug } = zoe.identity;
    expect(await world.kennel.call('contacts.accept', { slug })).toEqual({ released: 1 });
    await until('an answer', () => answers(zoe).length === 1);
    const { approval } = await world.kennel.call('approvals.get', { id: question.id });
    expect(approval).toMatchObject({ state: 'allowed', decision: { surface: 'terminal' } });

    await world.kennel.call('contacts.forget', { slug });
    expect(await contactOf(zoe)).toBeUndefined();
    await write(zoe, 'two');
    const asked = await questionAbout(zoe);
    expect(asked.id).not.toBe(question.id);
    await world.kennel.call('contacts.block', { slug });
    expect(await ofContacts()).toEqual([]);
    expect(answers(zoe)).toHaveLength(1);
  });

  it('is not held if they share a channel, or if the operator or the agent wrote first', async () => {
    const tom = await world.person('tom', 'unknown');
    await world.kennel.call('chat.send', { to: tom.identity.slug, text: 'hi Tom' });
    await until('what the operator wrote', () => tom.accepted.length > 0);
    tom.say({ dm: world.bot }, 'your operator knows me');
    await until('an answer', () => answers(tom).length > 0);

    const kim = await world.person('kim', 'unknown');
    const den = await world.kennel.call('spaces.create', { name: 'Den' });
    const joined = async (slug: string): Promise<void> => {
      await world.kennel.call('invites.send', { space: 'Den', who: slug });
      if (slug !== world.bot)
        must(await kim.account.answerInvite(await until('an invitation', () => kim.invites[0]), true));
      await until(`${slug} in the channel`, async () => {
        const { rooms } = await world.kennel.call('chat.rooms', {});
        return rooms[den.channelId]?.members.some((member) => member.slug === slug);
      });
    };
    await joined(kim.identity.slug);
    await joined(world.bot);
    // The prompt contains no notes if others read the answer, its introduction included.
    const [asked] = await until('the introduction', () => {
      const found = world.askedWith('Introduce yourself');
      return found.length > 0 && found;
    });
    expect(JSON.stringify(asked?.body)).not.toContain('heron-note');
    kim.say({ dm: world.bot }, 'we share a channel');
    await until('an answer', () => answers(kim).length > 0);
    expect(await ofContacts()).toEqual([]);
  });

  it('causes one question for all agents they write to, and all answer after approval', async () => {
    const { agent } = await world.kennel.call('agents.create', { id: 'second', provider: 'scripted' });
    const second = agent.slug ?? '';
    await until(
      'the second agent online',
      async () => (await world.kennel.call('agents.get', { agent: 'second' })).connection === 'online',
    );
    const amy = await world.person('amy', 'unknown');
    await write(amy, 'hello');
    amy.say({ dm: second }, 'hello to you, too');
    await until('both to hold it', async () => (await contactOf(amy))?.agents.length === 2);
    expect(await contactOf(amy)).toMatchObject({ state: 'waiting', messages: 2 });
    const question = await questionAbout(amy);
    expect(await ofContacts()).toHaveLength(1);
    await world.decide(question, { type: 'allow', scope: 'once' });
    await until('both answers', () => answers(amy).length > 0 && heardFrom(amy, second).length > 0);
    expect(await ofContacts()).toEqual([]);
  });

  it('is answered if the agent does not hold first contacts, also those already held', async () => {
    const eve = await world.person('eve', 'unknown');
    await write(eve, 'before');
    await questionAbout(eve);
    await world.kennel.call('agents.setRuntime', { agent: 'bot', holdFirstContact: false });
    await until('the answer', () => answers(eve).length > 0);
    const ned = await world.person('ned', 'unknown');
    ned.say({ dm: world.bot }, 'hello');
    await until('an answer', () => answers(ned).length > 0);
    expect(await ofContacts()).toEqual([]);
  });
});
