import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { inEnglish } from '../fakes/in-english.ts';
import type { TestAccount } from '../fakes/puffo-rig.ts';
import { type AudienceWorld, audienceWorld, heardFrom, order, until } from './audience-rig.ts';
import { answerTo } from './host-rig.ts';

let world: AudienceWorld;
let mallory: TestAccount;
/** Messages of the operator to the agent. */
let operators = '';

beforeAll(async () => {
  world = await audienceWorld();
  mallory = await world.person('mallory');
  world.writeFile('plan.md', 'the plan is heron-file\n');
  world.writeNote('people', 'the password is heron-note\n');
  const { messageId } = await world.kennel.call('chat.send', { to: 'bot', text: 'remember heron-dm' });
  operators = messageId;
  await answerTo(world.kennel, 'bot', messageId);
}, 60_000);
afterAll(() => world.stop());

const answers = (): readonly string[] => heardFrom(mallory, world.bot);

/** Sends a message as the stranger, and waits for the answer. */
async function ask(text: string): Promise<string> {
  const before = answers().length;
  mallory.say({ dm: world.bot }, text);
  return until('an answer to the stranger', () => answers()[before]);
}

/** Sends a message as the stranger, and waits for the approval request that the operator gets instead. */
async function asked(text: string) {
  const before = answers().length;
  mallory.say({ dm: world.bot }, text);
  const found = await Promise.race([
    world.question(),
    until('an answer to the stranger', () => answers()[before]).then((answer) => {
      throw new Error(`the stranger was told: ${answer}`);
    }),
  ]);
  expect(answers()).toHaveLength(before);
  return found;
}

/** The agent's answer about the refusal needs an approval of its own. */
const nextQuestion = (last: { readonly id: string }) => world.question(({ id }) => id !== last.id);

const no = { type: 'deny', reason: 'not for them' } as const;

describe('T9: Stranger asks the agent', () => {
  it('gets an answer without approval if no operator data is needed', async () => {
    expect(await ask('hello there')).toContain('You said: hello there');
    expect(await world.waiting()).toEqual([]);
  });

  it('gets search results without the operator’s messages, and the model is told so', async () => {
    const told = await ask(order('search_messages', { query: 'heron-dm' }));
    expect(told).not.toContain('remember heron-dm');
    expect(told).toContain('1 room left out');
  });

  it('gets no history of the operator’s rooms', async () => {
    const told = await ask(order('get_channel_history', { channel: `@${world.ada}`, limit: 20 }));
    expect(told).not.toContain('heron-dm');
    expect(told).toContain('left out');
  });

  it('gets an answer from a prompt without the operator’s notes', async () => {
    await ask('what do you remember?');
    const [prompt] = world.askedWith('what do you remember?');
    expect(JSON.stringify(prompt?.body)).not.toContain('heron-note');
    expect(JSON.stringify(prompt?.body)).toContain('notes are left out');
    const { messageId } = await world.kennel.call('chat.send', { to: 'bot', text: 'and you, do you?' });
    await answerTo(world.kennel, 'bot', messageId);
    expect(JSON.stringify(world.askedWith('and you, do you?')[0]?.body)).toContain('heron-note');
  });

  it('gets file contents only after an approval that shows the whole answer', async () => {
    const question = await asked(order('read_file', { path: 'plan.md' }));
    expect(question.preview.body).toContain('the plan is heron-file');
    expect(inEnglish(question)).toMatchObject({
      agentId: 'bot',
      subject: 'reply',
      title: 'wants to send its answer',
    });
    await world.decide(question, no);
    const ended = await until('the end of the turn', async () => {
      const { turns } = await world.kennel.call('work.turns', { agent: 'bot' });
      return turns.find(({ detail }) => englishText(detail).includes('not for them'));
    });
    expect(ended.state).toBe('silent');
    expect(answers().join('\n')).not.toContain('heron-file');
  });

  it('gets notes, tasks and folder contents only after approval', async () => {
    for (const [tool, args, told] of [
      ['memory_read', { note: 'people' }, 'heron-note'],
      ['search_files', { query: 'heron' }, 'heron-file'],
      ['bash_exec', { cmd: 'cat plan.md' }, 'heron-file'],
      ['task_list', {}, '[No tasks.]'],
    ] as const) {
      const question = await asked(order(tool, args));
      expect(question.preview.body, tool).toContain(told);
      await world.decide(question, no);
      await until('the question to be over', async () => (await world.waiting()).length === 0);
    }
    expect(answers().join('\n')).not.toMatch(/heron-(file|note)/);
  });

  it('gets each further answer only after approval, because the history holds the file', async () => {
    const question = await asked('say it once more');
    expect(englishText(question.why)).toContain('its files');
    await world.decide(question, no);
  });

  it('gets a message or file that the agent sends only after approval', async () => {
    const send = { channel: `@${mallory.identity.slug}`, text: 'heron-sent', is_visible_to_human: true };
    const words = await asked(order('send_message', send));
    expect(words.preview.body).toContain('heron-sent');
    await world.decide(words, no);
    await world.decide(await nextQuestion(words), no);
    const file = await asked(
      order('send_message_with_attachments', { ...send, text: undefined, paths: ['plan.md'] }),
    );
    expect(file.preview.body).toContain('plan.md');
    await world.decide(file, no);
    await world.decide(await nextQuestion(file), no);
    expect(mallory.accepted.filter(({ senderSlug }) => senderSlug === world.bot).length).toBe(
      answers().length,
    );
  });
});

describe('T9: Operator approves an answer', () => {
  it('once: only this answer is sent, and the next one asks again, also after a restart', async () => {
    const zoe = await world.person('zoe');
    const heard = () => heardFrom(zoe, world.bot);
    zoe.say({ dm: world.bot }, order('read_file', { path: 'plan.md' }));
    const before = await world.question();
    await world.restart();
    const after = await world.question();
    expect(after.id).toBe(before.id);
    expect(after.digest).toBe(before.digest);
    await world.decide(after, { type: 'allow', scope: 'once' });
    await until('the answer', () => heard().some((text) => text.includes('heron-file')));
    const requests = world.askedWith('call read_file').length;
    zoe.say({ dm: world.bot }, 'and again?');
    const again = await world.question();
    expect(again.id).not.toBe(after.id);
    await world.decide(again, no);
    expect(world.askedWith('call read_file').length).toBeGreaterThan(requests);
    expect(heard()).toHaveLength(1);
  });

  it('always, for a source and a room, until revoked; grant and revocation are in the audit log', async () => {
    const yan = await world.person('yan');
    const heard = () => heardFrom(yan, world.bot);
    yan.say({ dm: world.bot }, order('read_file', { path: 'plan.md' }));
    const question = await world.question();
    expect(inEnglish(question.offers)).toEqual([
      { scope: 'once', rule: 'this answer, now' },
      { scope: 'pattern', rule: `share its files with @${yan.identity.slug}` },
    ]);
    await world.decide(question, { type: 'allow', scope: 'pattern' });
    await until('the answer', () => heard().length === 1);
    yan.say({ dm: world.bot }, order('list_dir', { path: '.' }));
    await until('the next answer', () => heard().length === 2);
    expect(await world.waiting()).toEqual([]);
    yan.say({ dm: world.bot }, order('memory_read', { note: 'people' }));
    const notes = await world.question();
    expect(englishText(notes.why)).toContain('its notes');
    expect(englishText(notes.why)).not.toContain('its files');
    await world.decide(notes, no);

    const { grants } = await world.kennel.call('grants.list', { agent: 'bot' });
    expect(grants).toMatchObject([{ tool: 'share', scope: 'pattern', agentId: 'bot' }]);
    await world.kennel.call('grants.revoke', { id: grants[0]?.id ?? '' });
    yan.say({ dm: world.bot }, order('list_dir', { path: '.' }));
    await world.decide(await world.question(), no);
    expect(heard()).toHaveLength(2);
    const { lines } = await world.kennel.call('audit.list', { agent: 'bot', limit: 100 });
    const about = lines.filter(({ detail }) => detail.includes('share its files'));
    expect(about.map(({ kind }) => kind).sort()).toEqual(['grant', 'revoke']);
  });
});

describe('T9: Operator shares a source in advance', () => {
  it('with one room, until revoked; other sources and rooms still ask', async () => {
    const [pat, sue] = [await world.person('pat'), await world.person('sue')];
    const heard = (person: TestAccount) => heardFrom(person, world.bot);
    const share = { agent: 'bot', room: `@${pat.identity.slug}`, what: ['workspace'] };
    const { grant } = await world.kennel.call('grants.share', share);
    expect(inEnglish(grant)).toMatchObject({
      agentId: 'bot',
      tool: 'share',
      scope: 'pattern',
      rule: `share its files with @${pat.identity.slug}`,
    });
    expect((await world.kennel.call('grants.share', share)).grant.id).toBe(grant.id);

    pat.say({ dm: world.bot }, order('read_file', { path: 'plan.md' }));
    await until('the answer', () => heard(pat).some((text) => text.includes('heron-file')));
    expect(await world.waiting()).toEqual([]);
    sue.say({ dm: world.bot }, order('read_file', { path: 'plan.md' }));
    await world.decide(await world.question(), no);
    pat.say({ dm: world.bot }, order('memory_read', { note: 'people' }));
    await world.decide(await world.question(), no);

    const more = await world.kennel.call('grants.share', { ...share, what: ['notes', 'chat'] });
    expect(englishText(more.grant.rule)).toBe(
      `share its notes and messages of @${world.ada} with @${pat.identity.slug}`,
    );
    const before = heard(pat).length;
    pat.say({ dm: world.bot }, order('search_messages', { query: 'heron-dm' }));
    await until('what the operator wrote', () => heard(pat)[before]?.includes('remember heron-dm'));
    for (const { id } of [grant, more.grant]) await world.kennel.call('grants.revoke', { id });
    pat.say({ dm: world.bot }, 'and again?');
    await world.decide(await world.question(), no);
    const { lines } = await world.kennel.call('audit.list', { agent: 'bot', limit: 200 });
    const about = lines.filter(({ detail }) => detail === englishText(grant.rule));
    expect(about.map(({ kind }) => kind).sort()).toEqual(['grant', 'revoke']);
  });

  it('also several at once, with messages of a room named by its id, as the window does', async () => {
    const pam = await world.person('pam');
    const { spaceId } = await world.kennel.call('spaces.create', { name: 'Garden' });
    const { rooms } = await world.kennel.call('chat.rooms', {});
    const general = Object.values(rooms).find((one) => one.spaceId === spaceId);
    const what = ['workspace', general?.id ?? ''];
    const share = { agent: 'bot', room: `@${pam.identity.slug}`, what };
    const { grant } = await world.kennel.call('grants.share', share);
    expect(englishText(grant.rule)).toBe(
      `share its files and messages of #${general?.name} with @${pam.identity.slug}`,
    );
  });

  it('and gets an error for a room without strangers, an unknown source or an unknown room', async () => {
    const code = async (input: { room: string; what: string[] }) => {
      const shared = await world.kennel.tryCall('grants.share', { agent: 'bot', ...input });
      return shared.ok ? 'ok' : shared.error.code;
    };
    expect(await code({ room: 'bot', what: ['workspace'] })).toBe('invalid_input');
    expect(await code({ room: `@${mallory.identity.slug}`, what: ['everything'] })).toBe('invalid_input');
    expect(await code({ room: '#nowhere', what: ['workspace'] })).toBe('not_found');
  });
});

describe('T9: Program that acts as the agent', () => {
  const principal = { kind: 'agent', id: 'bot' } as const;
  let calls = 0;

  async function called(name: string, args: object): Promise<string> {
    calls += 1;
    const call = { callId: `outside${calls}`, name, args };
    const result = await world.kennel.host.call(principal, 'agentTools.call', call);
    return JSON.stringify(result);
  }

  it('reads no operator room during a turn for a stranger, and can again afterwards', async () => {
    const kim = await world.person('kim');
    const operators = () => called('search_messages', { query: 'heron-dm' });
    kim.say({ dm: world.bot }, order('read_file', { path: 'plan.md' }));
    const question = await world.question();
    // The program has not read the stranger's message yet.
    expect(await operators()).toContain('remember heron-dm');
    await called('get_channel_history', { channel: `@${kim.identity.slug}`, limit: 20 });
    expect(await operators()).not.toContain('remember heron-dm');
    const history = await called('get_channel_history', { channel: `@${world.ada}`, limit: 20 });
    expect(history).toContain('1 room left out');
    await world.decide(question, no);
    await until('the end of the turn', async () => (await operators()).includes('remember heron-dm'));
  });
});

describe('T9: Program that reads messages through the data service', () => {
  it('reads no operator room during a turn for a stranger, through the data service or tools', async () => {
    const lee = await world.person('lee');
    const { socket, token } = await world.kennel.call('agents.dataAccess', { agent: 'bot' });
    const read = (messageId: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const path = `/v1/data/bot/messages/${messageId}`;
        const headers = { authorization: `Bearer ${token}` };
        request({ socketPath: socket, path, headers, agent: false }, (response) => {
          let text = '';
          response.on('data', (piece) => (text += String(piece)));
          response.on('end', () => resolve(`${response.statusCode} ${text}`));
        })
          .on('error', reject)
          .end();
      });
    const said = lee.say({ dm: world.bot }, order('read_file', { path: 'plan.md' }));
    const question = await world.question();
    expect(await read(operators)).toContain('remember heron-dm');
    expect(await read(said)).toContain('plan.md');
    expect(await read(operators)).toMatch(/^403 /);
    const call = { callId: 'beside1', name: 'search_messages', args: { query: 'heron-dm' } };
    const result = await world.kennel.host.call({ kind: 'agent', id: 'bot' }, 'agentTools.call', call);
    expect(JSON.stringify(result)).not.toContain('remember heron-dm');
    await world.decide(question, no);
    await until('the end of the turn', async () => (await read(operators)).startsWith('200'));
  });
});

describe('T9: Task of a stranger', () => {
  it('reports its result to the stranger only after approval', async () => {
    const goal = order('finish', { result: 'heron-task' });
    const tom = await world.person('tom');
    tom.say({ dm: world.bot }, order('task_add', { goal }));
    await until('that it was taken on', () =>
      heardFrom(tom, world.bot).some((text) => text.includes('Task')),
    );
    await until('the result', () => heardFrom(tom, world.bot).some((text) => text.includes('heron-task')));

    const reading = order('read_file', { path: 'plan.md' });
    tom.say({ dm: world.bot }, order('task_add', { goal: reading }));
    const question = await world.question();
    expect(question.preview.body).toContain('heron-file');
    await world.decide(question, no);
    expect(heardFrom(tom, world.bot).join('\n')).not.toContain('heron-file');
  });
});
