import { expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import type { AcceptRow } from '../../core/puffo/account-store.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { createPendingNotifications, type PendingNotificationsDeps } from './pending-notifications.ts';

function rig() {
  const store = createMemoryAccountStore('guide-0001');
  const heard: AcceptRow[] = [];
  const runs = new Map<string, string>();
  const answered = new Set<string>();
  const rounds: unknown[] = [];
  let there = true;
  const make = () =>
    createPendingNotifications({
      crypto: createNobleEngine(),
      now: () => 5,
      run: (id: string) => ({ status: runs.get(id) ?? 'waiting' }),
      answered: (id: string) => answered.has(id),
      post: () => ({
        slug: 'guide-0001',
        store: there ? store : null,
        capabilities: there
          ? {
              hear: (word: AcceptRow) => void heard.push(...(store.accept([word]).length > 0 ? [word] : [])),
              goOn: () => false,
              joinRound: (thread: unknown) => void rounds.push(thread),
            }
          : null,
      }),
    } as unknown as PendingNotificationsDeps);
  return {
    heard,
    runs,
    make,
    answered,
    rounds,
    there: (now: boolean): void => {
      there = now;
    },
  };
}

it('An ended run is reported once in its conversation, without its output (T9)', () => {
  const { heard, runs, make } = rig();
  const words = make();
  words.owe('guide', 'run_1', 'dm|ada-0001');
  words.owe('guide', 'run_2', 'ch|ch_1|msg_root');
  words.changed('run_1');
  expect(heard).toEqual([]);
  runs.set('run_1', 'ok').set('run_2', 'failed');
  for (const run of ['run_1', 'run_2', 'run_1', 'run_2', 'run_3']) words.changed(run);
  words.online('guide');
  expect(heard.map(({ message }) => [message.kind, message.roomId, message.channelId])).toEqual([
    ['dm', 'dm:ada-0001', null],
    ['channel', 'ch_1', 'ch_1'],
  ]);
  expect(heard[1]?.message.threadRootId).toBe('msg_root');
  expect(String(heard[1]?.message.content)).toContain('The run run_2');
  expect(heard[0]?.decision).toMatchObject({ react: true, reason: 'run_ended' });
});

it('An end that the agent saw, or of a run started by a task or over MCP, is not reported', () => {
  const { heard, runs, make } = rig();
  const words = make();
  words.owe('guide', 'run_1', 'dm|ada-0001');
  words.seen('guide', 'run_1');
  words.owe('guide', 'run_2', 'task|7');
  words.owe('guide', 'run_3', 'mcp');
  for (const run of ['run_1', 'run_2', 'run_3']) runs.set(run, 'ok');
  for (const run of ['run_1', 'run_2', 'run_3']) words.changed(run);
  words.online('guide');
  expect(heard).toEqual([]);
});

it('A pending notification is delivered when the agent is online, also after a restart', () => {
  const { heard, runs, make, there } = rig();
  make().owe('guide', 'run_1', 'dm|ada-0001');
  there(false);
  runs.set('run_1', 'cancelled');
  const later = make();
  later.changed('run_1');
  later.online('guide');
  expect(heard).toEqual([]);
  there(true);
  later.online('guide');
  later.online('guide');
  expect(heard).toHaveLength(1);
  runs.set('run_2', 'ok');
  later.owe('guide', 'run_2', 'dm|ada-0001');
  expect(heard).toHaveLength(2);
});

it('An answered question of the run counts as a message of the person (T27)', () => {
  const { answered, rounds, runs, make } = rig();
  const words = make();
  answered.add('run_1');
  words.owe('guide', 'run_1', 'ch|ch_1|msg_root');
  words.owe('guide', 'run_2', 'dm|ada-0001');
  for (const run of ['run_1', 'run_2']) {
    runs.set(run, 'ok');
    words.changed(run);
  }
  expect(rounds).toEqual([{ roomId: 'ch_1', rootId: 'msg_root' }]);
});
