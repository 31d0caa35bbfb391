import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { noUsage } from '../../core/models/messages.ts';
import { openDatabase } from './binding.ts';
import { type LedgerRow, openUsageStore, usageSchema as schema } from './usage-store.ts';

let folder: string;
eachTestInFolder('kennel-usage-', (made) => {
  folder = made;
});

const file = (): string => path.join(folder, 'usage.db');
const open = () =>
  openUsageStore({
    path: file(),
    key: new Uint8Array(32).fill(9),
    clock: createVirtualClock(),
    log: createRecordingLog(),
  });
const row = (callId: string, more: Partial<LedgerRow> = {}): LedgerRow => ({
  callId,
  agentId: 'guide',
  threadKey: 't1',
  turnId: 'turn',
  provider: 'openai',
  model: 'gpt-5',
  usage: { ...noUsage, input: 10, output: 2, totalTokens: 12 },
  simulated: false,
  at: 1,
  day: '2026-11-21',
  usd: 0.5,
  ...more,
});
const all = { from: '2026-11-01', to: '2026-11-30', agentId: null };

describe('Usage store', () => {
  it('counts a call once, also after it is reopened', () => {
    const store = open();
    expect(store.record(row('a'))).toBe(true);
    expect(store.record(row('a', { usd: 99 }))).toBe(false);
    store.release();
    const again = open();
    expect(again.record(row('a'))).toBe(false);
    expect(again.byDay(all)).toMatchObject([{ day: '2026-11-21', calls: 1, input: 10, output: 2, usd: 0.5 }]);
    again.release();
  });
  it('sums usage per day, agent, model and thread, with simulated and unpriced usage separate', () => {
    const store = open();
    store.record(row('a'));
    store.record(row('b', { agentId: 'checker', threadKey: 't2', day: '2026-11-22', usd: null }));
    store.record(row('c', { provider: 'scripted', model: 's', simulated: true, usd: 7 }));
    store.record(row('d', { day: '2026-12-01' }));
    expect(store.byAgentAndDay(all)).toHaveLength(2);
    expect(store.byAgentAndDay(all)[0]).toMatchObject({
      agentId: 'guide',
      day: '2026-11-21',
      calls: 2,
      usd: 0.5,
      simulatedUsd: 7,
      simulated: 12,
      unpriced: 0,
    });
    expect(store.byDay({ ...all, agentId: 'checker' })).toMatchObject([{ day: '2026-11-22', unpriced: 12 }]);
    expect(store.byModel(all).map(({ model, calls }) => [model, calls])).toEqual([
      ['gpt-5', 2],
      ['s', 1],
    ]);
    expect(store.byThread(all, 1)).toMatchObject([{ threadKey: 't1', calls: 2, usd: 0.5, simulatedUsd: 7 }]);
    store.release();
  });
  it('keeps an extra allowance for its own period only; the newest state wins', () => {
    const asked = { who: 'guide', limit: 'usdPerDay', period: '2026-11-21', asker: 'guide', at: 1 };
    const store = open();
    store.keepAllowance({ ...asked, state: 'asked', extra: 0 });
    store.keepAllowance({ ...asked, state: 'allowed', extra: 1.25 });
    store.release();
    const again = open();
    expect(again.allowance('guide', 'usdPerDay', '2026-11-21')).toMatchObject({
      state: 'allowed',
      extra: 1.25,
    });
    expect(again.allowance('guide', 'usdPerDay', '2026-11-22')).toBeNull();
    expect(again.allowance('', 'usdPerDay', '2026-11-21')).toBeNull();
    again.keepAllowance({ ...asked, period: '2027-04-01', at: 200 * 86_400_000, state: 'denied', extra: 0 });
    expect(again.allowance('guide', 'usdPerDay', '2026-11-21')).toBeNull();
    again.release();
  });
  it('keeps rows stored by response id, and counts by call from then on', () => {
    const key = new Uint8Array(32).fill(9);
    const old = openDatabase(file(), { key });
    for (const step of schema.slice(0, 3)) old.exec(step);
    old.pragma('user_version = 3');
    old.exec(`INSERT INTO calls VALUES ('ollama', 'chatcmpl-139', 1, '2026-11-21', 'guide', 't', 'turn', 'm', 5, 1, 0, 0, 0,
      NULL, 0);
      INSERT INTO daily VALUES ('2026-11-21', 'guide', 'ollama', 'm', 0, 1, 5, 1, 0, 0, 0, 6);`);
    old.close();
    const store = open();
    // Ollama gives several responses the id chatcmpl-139; each is a separate call.
    for (const id of ['call-1', 'call-2']) {
      expect(store.record(row(id, { provider: 'ollama', model: 'm', usd: null }))).toBe(true);
    }
    expect(store.byModel(all)).toMatchObject([{ model: 'm', calls: 3, input: 25, unpriced: 30 }]);
    expect(store.byThread(all, 9)).toHaveLength(2);
    store.release();
  });
  it('is encrypted on disk (T19)', () => {
    const store = open();
    store.record(row('a', { threadKey: 'a-thread-with-a-name' }));
    store.release();
    expect(readFileSync(file()).includes('a-thread-with-a-name')).toBe(false);
  });
});
