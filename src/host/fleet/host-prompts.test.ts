import { expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { type RunEnd, runEndedPrompt } from '../../core/agents/run-ended.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { AgentBrakes } from './brakes.ts';
import { agentTest, readerOf, takeOwnWord, wireRoot } from './host-prompts.ts';

const slug = 'guide-0001';
const crypto = createNobleEngine();
const limit = 8;

function agent(channel: RunEnd['channel'] = null) {
  const store = createMemoryAccountStore(slug);
  const open = () =>
    new AgentBrakes({
      agentId: 'guide',
      store,
      limit: () => limit,
      onChanged: () => undefined,
      isAgent: agentTest(slug, () => false),
    });
  let brakes = open();
  let made = 0;
  const roomId = channel?.channelId ?? 'dm:ada-0001';
  const word = (run: string) => {
    made += 1;
    return runEndedPrompt(crypto, slug, { run, status: 'ok', at: made, channel, roomId });
  };
  const take = (run: string) => takeOwnWord({ store, brakes, now: () => 1 }, word(run));
  const wanted = (run: string): boolean =>
    take(run).some(({ envelopeId }) => store.decision(envelopeId)?.react === true);
  const says = (senderSlug: string): void => {
    made += 1;
    const message = sampleMessage({
      envelopeId: `m${made}`,
      senderSlug,
      roomId,
      kind: channel ? 'channel' : 'dm',
      content: 'x',
      threadRootId: channel?.rootId ?? null,
      sentAt: made,
    });
    store.accept([{ message, decision: { react: false, reason: 'own', priority: 5 } }]);
    brakes.observe(message);
  };
  return {
    take,
    wanted,
    says,
    word,
    brakes: () => brakes,
    restart: () => {
      brakes = open();
    },
  };
}

const thread = { channelId: 'ch_1', rootId: 'root', spaceId: 'sp_1' } as const;

it.each([
  ['a direct message', null],
  ['a thread', thread],
])('An agent that keeps starting runs is stopped in %s until a person writes (T27)', (_, place) => {
  for (const quiet of [false, true]) {
    const { wanted, says, brakes } = agent(place);
    says('ada-0001');
    let turns = 0;
    while (turns < 100 && wanted(`run_${turns}`)) {
      turns += 1;
      if (!quiet) says(slug);
    }
    expect(turns).toBe(quiet ? 2 * limit : limit);
    expect(brakes().list()).toHaveLength(1);
    says('ada-0001');
    expect(wanted('run_later')).toBe(true);
  }
});

it('A release delivers the held notification and allows one more round (T27)', () => {
  const { wanted, says, brakes, word } = agent(thread);
  let turns = 0;
  for (; turns < 100 && wanted(`run_${turns}`); turns += 1) says(slug);
  const held = brakes().goOn({ roomId: 'ch_1', rootId: 'root' });
  expect(held).toEqual([word(`run_${turns}`).message.envelopeId]);
  let more = 0;
  for (; more < 100 && wanted(`more_${more}`); more += 1) says(slug);
  expect(more).toBeGreaterThan(limit / 2);
  expect(more).toBeLessThan(2 * limit);
});

it('A host restart does not release the brake (T27)', () => {
  const { wanted, says, restart } = agent(thread);
  for (let turn = 0; turn < 100 && wanted(`run_${turn}`); turn += 1) says(slug);
  restart();
  expect(wanted('run_later')).toBe(false);
});

it('A run notification is accepted once and has no root id on the wire', () => {
  const { take, word } = agent();
  expect(take('run_1')).toHaveLength(1);
  expect(take('run_1')).toEqual([]);
  const { message } = word('run_1');
  expect(readerOf(message)).toBe('ada-0001');
  expect(wireRoot(message.threadRootId ?? '')).toBeNull();
  expect(wireRoot('msg_root')).toBe('msg_root');
});

it('The brake stays open while a person answers what the runs ask (T27)', () => {
  for (const place of [null, thread]) {
    const { wanted, says, brakes } = agent(place);
    const here = { roomId: place?.channelId ?? 'dm:ada-0001', rootId: place?.rootId ?? '' };
    says('ada-0001');
    for (let turn = 0; turn < limit * 4; turn += 1) {
      brakes().joinRound(here);
      expect(wanted(`run_${turn}`), `turn ${turn}`).toBe(true);
      says(slug);
    }
    let alone = 0;
    while (alone < 100 && wanted(`alone_${alone}`)) {
      alone += 1;
      says(slug);
    }
    expect(alone).toBeLessThanOrEqual(limit + 1);
  }
});
