import { expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { createDecide, createTurnDecision } from './message-decision.ts';

const slug = 'guide-1a2b';

it('A reply whose root is not stored is not unaddressed, and a message without a root is', () => {
  const config = agentConfigSchema().parse({ triggers: { channels: { ch_1: 'unaddressed' } } });
  const decide = createDecide({
    brakes: { observe: () => false },
    commandOf: () => null,
    decideTurn: createTurnDecision({
      slug,
      brakes: { hold: () => undefined },
      contacts: { contactOf: () => 'known', hold: () => undefined },
      config: () => config,
      now: () => 1,
      isAgent: () => false,
    }),
    senders: { apply: (_, decision) => decision },
    store: createMemoryAccountStore(slug),
    membersOf: () => [],
  });
  const reasonOf = (threadRootId: string | null) =>
    decide(sampleMessage({ content: 'help', threadRootId })).reason;
  expect(reasonOf('msg_missing')).toBe('not_mentioned');
  expect(reasonOf(null)).toBe('unaddressed');
});
