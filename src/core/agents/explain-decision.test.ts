import { expect, it } from 'vitest';
import { inEnglish } from '../../../test/fakes/in-english.ts';
import { englishText } from '../../language/host-message.ts';
import { type WhyFacts, whyOf } from './explain-decision.ts';
import type { TriggerReason } from './triggers.ts';

const base: WhyFacts = {
  isSender: false,
  decision: null,
  working: false,
  asks: false,
  life: 'running',
  connection: 'online',
  held: false,
};
const decided = (reason: string, status: NonNullable<WhyFacts['decision']>['status'], detail = '') => ({
  ...base,
  decision: { react: status !== null, reason, priority: 3 as const, status, detail },
});

it.each<[string, WhyFacts, string, string]>([
  ['its own message', { ...base, isSender: true }, 'own', 'wrote it.'],
  ['a turn that runs', { ...decided('dm', 'open'), working: true }, 'working', 'is working on it.'],
  [
    'a turn that waits',
    { ...decided('dm', 'open'), working: true, asks: true },
    'working',
    'is working on it, and waits for your answer.',
  ],
  ['an answer', decided('mention', 'done'), 'done', 'answered: it was mentioned.'],
  [
    'its turn comes',
    decided('channel_all', 'open'),
    'queued',
    'will look at it next: it answers everything in this room.',
  ],
  [
    'a budget',
    decided('mention', 'failed', 'The budget of today is used up.'),
    'failed',
    'could not answer: The budget of today is used up.',
  ],
  [
    'its choice',
    decided('dm', 'silent', 'The agent chose not to answer.'),
    'silent',
    'did not answer: The agent chose not to answer.',
  ],
  ['a task', decided('task', null), 'silent', 'took it as your word about its tasks.'],
  ['an answer for the host', decided('consent', null), 'silent', 'took it as your answer to its question.'],
  [
    'a sender of another key',
    { ...base, held: true },
    'unseen',
    'holds it back: the identity key of its sender has changed.',
  ],
  [
    'no line to the server',
    { ...base, connection: 'offline' },
    'unseen',
    'is not connected to its server; it will look at it once it is.',
  ],
  [
    'no settings',
    { ...base, life: 'broken' },
    'unseen',
    'has settings that cannot be read, so it does not run.',
  ],
  ['a crash', { ...base, life: 'backing_off' }, 'unseen', 'is not running, so its messages cannot be read.'],
])('The reason is explained for: %s', (_name, facts, state, text) => {
  expect(inEnglish(whyOf(facts))).toEqual({ state, text });
});

it('Each reason not to react has its own text', () => {
  const reasons: readonly TriggerReason[] = [
    ...(['paused', 'dm_off', 'channel_never', 'mention_off', 'not_mentioned'] as const),
    ...(['agent_not_mentioned', 'agent_brake', 'too_old'] as const),
  ];
  const texts = reasons.map((reason) => englishText(whyOf(decided(reason, null)).text));
  expect(new Set(texts).size).toBe(reasons.length);
  for (const [at, text] of texts.entries())
    expect(text).not.toContain(reasons[at]?.includes('_') ? reasons[at] : '_');
});
