import { expect, it } from 'vitest';
import { detailText } from './show-runs.ts';

it('A rejected or unanswered approval step is not shown as done', () => {
  const step = (path: string) => ({
    path,
    state: 'done' as const,
    attempts: 1,
    startedAt: '2026-11-22T10:00:00.000Z',
    output: '',
    error: null,
  });
  const decided = (path: string, decision: string) => ({
    path,
    decision,
    prompt: 'Go on?',
    by: 'ada-1f3a',
    reason: null,
    contentHash: 'b'.repeat(64),
  });
  const text = detailText({
    id: 'r1',
    name: 'gated',
    file: null,
    status: 'cancelled' as const,
    message: null,
    ageSeconds: 0,
    wakeAt: null,
    createdAt: '2026-11-22T10:00:00.000Z',
    asks: [],
    definition: 'd',
    args: {},
    initiatedBy: null,
    cwd: null,
    costUsd: 0,
    simulatedUsd: 0,
    unpriced: 0,
    steps: [step('draft'), step('no'), step('late'), step('yes')],
    decisions: [
      decided('no', 'reject'),
      decided('late', 'timeout'),
      decided('yes', 'reject'),
      decided('yes', 'approve'),
    ],
  });
  const states = text.split('\n').filter((line) => /^ {2}\w+ {2}/.test(line));
  expect(states.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['draft', 'done'],
    ['no', 'rejected'],
    ['late', 'not answered'],
    ['yes', 'done'],
  ]);
});
