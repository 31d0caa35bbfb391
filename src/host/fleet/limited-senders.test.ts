import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import { createProblems } from '../problems.ts';
import { createLimitedSenders } from './limited-senders.ts';

const minute = 60_000;

function rig() {
  const clock = createVirtualClock();
  const problems = createProblems(clock, () => undefined);
  const noted: AuditEntry[] = [];
  const senders = createLimitedSenders({
    clock,
    problems,
    limit: () => 3,
    nameOf: (agentId) => agentId.toUpperCase(),
    note: (entry) => noted.push(entry),
  });
  return {
    noted,
    clock,
    limited: (agentId: string, slug: string, minutes: number) =>
      senders.limited(agentId, slug, clock.now() + minutes * minute),
    shown: () => problems.list().map(({ message }) => message.split(' ')[0]),
  };
}

it('T27 A limited sender is listed until the limit ends', async () => {
  const { clock, limited, shown } = rig();
  limited('bot', 'eve', 10);
  limited('bot', 'mallory', 20);
  limited('helper', 'eve', 30);
  expect(shown()).toEqual(['eve', 'mallory', 'eve']);
  await clock.advance(10 * minute);
  expect(shown()).toEqual(['mallory', 'eve']);
  await clock.advance(10 * minute);
  expect(shown()).toEqual(['eve']);
  await clock.advance(10 * minute);
  expect(shown()).toEqual([]);
  expect(clock.pending()).toBe(0);
});

it('A sender who is limited again keeps the later end time', async () => {
  const { clock, limited, shown } = rig();
  limited('bot', 'eve', 10);
  limited('bot', 'eve', 20);
  await clock.advance(10 * minute);
  expect(shown()).toEqual(['eve']);
  await clock.advance(10 * minute);
  expect(shown()).toEqual([]);
});

it('T24 T27 Invented senders fill ten entries, one summary and eleven audit lines per agent, for the time of their limits', async () => {
  const { clock, limited, noted, shown } = rig();
  for (let count = 0; count < 1_000; count += 1) limited('bot', `eve${count}`, count < 10 ? 10 : 20);
  limited('bot', 'eve0', 10);
  limited('bot', 'mallory', 5);
  limited('helper', 'eve', 10);
  const ten = Array.from({ length: 10 }, (_, count) => `eve${count}`);
  expect(shown()).toEqual([...ten, 'Other', 'eve']);
  expect(clock.pending()).toBe(12);
  const lines = noted.map(({ agentId, outcome }) => `${agentId} ${outcome}`);
  expect(lines).toEqual([...ten.map((slug) => `bot ${slug}`), 'bot others', 'bot eve0', 'helper eve']);
  await clock.advance(10 * minute);
  expect(shown()).toEqual(['Other']);
  limited('bot', 'mallory', 5);
  expect(shown()).toEqual(['Other', 'mallory']);
  await clock.advance(10 * minute);
  expect([shown(), clock.pending()]).toEqual([[], 0]);
});

it('Each limited sender that is shown is written to the audit log', () => {
  const { limited, noted } = rig();
  limited('bot', 'eve', 10);
  expect(noted).toEqual([
    {
      kind: 'brake',
      agentId: 'bot',
      tool: '',
      digest: '',
      outcome: 'eve',
      detail: 'more than 3 messages in an hour',
    },
  ]);
});
