import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm, sampleMessage } from '../../../test/fakes/message-samples.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { AgentBrakes } from './brakes.ts';
import { createChatCommands } from './chat-commands.ts';
import { createDecide, createTurnDecision } from './message-decision.ts';

const isAgent = (slug: string): boolean => slug.startsWith('bot');
const config = agentConfigSchema().parse({ triggers: { channels: {} } });
let made = 0;

function agent(slug: string, limit: number, store: AccountStore = createMemoryAccountStore(slug)) {
  const brakes = new AgentBrakes({
    agentId: slug,
    store,
    isAgent,
    limit: () => limit,
    onChanged: () => undefined,
  });
  const contacts = { contactOf: () => 'known' as const, hold: () => undefined };
  const decide = createDecide({
    brakes,
    commandOf: createChatCommands({
      slug,
      store,
      brakes,
      intercept: () => null,
      people: { isAgent, isOperator: (sender) => sender === 'ada' },
      working: (threadKey) => threadKey === 'ch|ch_1|working',
    }),
    decideTurn: createTurnDecision({
      slug,
      brakes,
      contacts,
      config: () => config,
      now: () => 1,
      isAgent,
    }),
    senders: { apply: (_, decision) => decision },
    store,
    membersOf: () => [],
  });
  return {
    slug,
    store,
    brakes,
    /** Returns true if the agent would answer. */
    hears(message: StoredMessage): boolean {
      const decision = decide(message);
      store.accept([{ message, decision }]);
      return decision.react;
    },
    says(message: StoredMessage): void {
      store.accept([{ message, decision: { react: false, reason: 'own', priority: 5 } }]);
      brakes.observe(message);
    },
    reason: (message: StoredMessage) => decide(message).reason,
  };
}

function message(senderSlug: string, content: string, threadRootId: string | null = 'root'): StoredMessage {
  made += 1;
  return sampleMessage({ envelopeId: `m${made}`, senderSlug, content, threadRootId, sentAt: made });
}

/** Each answers the other by mention while allowed; returns the number of messages by agents. */
function chatter(limit: number, thread: (n: number) => string | null): number {
  const [a, b] = [agent('bot-a', limit), agent('bot-b', limit)];
  let [from, to] = [a, b];
  let count = 0;
  for (let going = true; going && count < 1_000; count += 1) {
    const said = message(from.slug, `@${to.slug} and you?`, thread(count));
    from.says(said);
    going = to.hears(said);
    [from, to] = [to, from];
  }
  return count;
}

describe('Loop brakes', () => {
  it('T27 stop two agents that answer each other at the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (limit) => {
        expect(chatter(limit, () => 'root')).toBeLessThanOrEqual(limit + 1);
      }),
    );
  });

  it('T27 stop two agents that start a new thread for each message', () => {
    for (const limit of [1, 4, 8]) expect(chatter(limit, () => null)).toBeLessThanOrEqual(limit * 6 + 2);
  });

  it('T27 persist over a restart and are released by a person’s message', () => {
    const store = createMemoryAccountStore('bot-a');
    const one = agent('bot-a', 2, store);
    for (let n = 0; n < 4; n += 1) one.hears(message('bot-b', '@bot-a x'));
    expect(one.brakes.list()).toMatchObject([{ roomId: 'ch_1', rootId: 'root', agentId: 'bot-a' }]);
    const again = agent('bot-a', 2, store);
    expect(again.brakes.list()).toHaveLength(1);
    expect(again.hears(message('bot-b', '@bot-a x'))).toBe(false);
    again.hears(message('ada', 'hello'));
    expect(again.hears(message('bot-b', '@bot-a x'))).toBe(true);
  });

  it('T27 allow one more round on release, with the held-back messages', () => {
    const one = agent('bot-a', 2);
    const heard = [1, 2, 3, 4].map(() => message('bot-b', '@bot-a x'));
    for (const each of heard) one.hears(each);
    const thread = { roomId: 'ch_1', rootId: 'root' };
    expect(heard.map((each) => one.brakes.stoppedBy(each))).toEqual([false, false, true, false]);
    expect(one.brakes.goOn(thread)).toEqual(heard.slice(2).map(({ envelopeId }) => envelopeId));
    expect(one.brakes.stands(thread)).toBe(false);
    expect(one.brakes.goOn(thread)).toBeNull();
    expect([1, 2, 3].map(() => one.hears(message('bot-b', '@bot-a x')))).toEqual([true, true, false]);
  });

  it('T27 give the other agents of the thread the same extra round', () => {
    const [a, b] = [agent('bot-a', 3), agent('bot-b', 3)];
    const thread = { roomId: 'ch_1', rootId: 'root' };
    const turn = (from: typeof a, to: typeof a): boolean => {
      const said = message(from.slug, `@${to.slug} and you?`);
      from.says(said);
      return to.hears(said);
    };
    expect([turn(a, b), turn(b, a), turn(a, b), turn(b, a)]).toEqual([true, true, true, false]);
    expect(a.brakes.goOn(thread)).toHaveLength(1);
    b.brakes.joinRound(thread);
    expect(b.brakes.list()).toEqual([]);
    expect([turn(a, b), turn(b, a), turn(a, b), turn(b, a)]).toEqual([true, true, true, false]);
  });
});

describe('Operator commands in the chat', () => {
  const one = agent('bot-a', 2);
  const said = (sender: string, text: string, root = 'working') => one.reason(message(sender, text, root));

  it('accept "stop" with or without a mention where a turn runs, and only from the operator', () => {
    expect(said('ada', ' Stop ')).toBe('stop');
    expect(said('ada', '@bot-a stop!')).toBe('stop');
    expect(said('ada', 'stop', 'elsewhere')).toBe('not_mentioned');
    expect(said('ada', '@bot-a stop it')).toBe('mention');
    expect(said('mallory', '@bot-a stop')).toBe('mention');
  });

  it('never give "/stop" and "/continue" of the operator to the model', () => {
    expect(said('ada', '/stop', 'elsewhere')).toBe('stop');
    expect(said('ada', '@bot-a: /Continue', 'elsewhere')).toBe('continue');
    expect(said('ada', '@bot-a \\/stop')).toBe('mention');
    expect(said('mallory', '@bot-a /stop')).toBe('mention');
  });

  it('accept "continue" only from the operator in a stopped thread', () => {
    expect(said('ada', 'continue', 'root')).toBe('not_mentioned');
    for (let n = 0; n < 4; n += 1) one.hears(message('bot-b', '@bot-a x'));
    expect(said('mallory', 'continue', 'root')).toBe('not_mentioned');
    expect(said('ada', 'continue', 'root')).toBe('continue');
  });

  it('T27: counts all conversations with an agent together, so that a new one evades no limit', () => {
    const bot = agent('bot-a', 2);
    let heard = 0;
    for (let n = 0; n < 40; n += 1) {
      const said = sampleDm({
        envelopeId: `in-${n}`,
        senderSlug: 'bot-b',
        roomId: `dm:bot-b~cv_${String(n).padStart(8, '0')}`,
        sentAt: n,
      });
      if (bot.hears(said)) heard += 1;
    }
    expect(heard).toBeLessThan(10);
  });
});
