/**
 * Cost of a durable message against its lower bound, an fdatasync of 4 KiB. Single messages and bursts of
 * 1,000 alternate with the raw syncs in one run, through the product's own account store.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { AcceptRow } from '../../src/core/puffo/account-store.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { sampleMessage } from '../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { median, report, temporaryHome } from '../lib/measure.ts';

const rounds = 9;
const singles = 400;
const burst = 1_000;
const body = 'A message of the usual length, as people write them to each other in a channel. '.repeat(3);

const home = temporaryHome();
const store = openAccountStore({
  path: path.join(home, 'messages.db'),
  slug: 'helper-9a7c',
  key: new Uint8Array(32).fill(1),
  clock: createSystemClock(),
  log: createRecordingLog(),
});
const raw = openSync(path.join(home, 'raw'), 'w');
const page = Buffer.alloc(4096, 7);

let made = 0;
function row(): AcceptRow {
  made += 1;
  const message = sampleMessage({
    envelopeId: `msg_${made}`,
    roomId: `ch_${made % 20}`,
    channelId: `ch_${made % 20}`,
    content: body,
    sentAt: 1_778_790_000_000 + made,
  });
  return { message, decision: { react: made % 5 === 0, reason: 'mention', priority: 3 } };
}

/** Calls per second. */
function rate(count: number, work: () => void): number {
  const started = performance.now();
  work();
  return (count * 1_000) / (performance.now() - started);
}

const syncRate = (): number =>
  rate(singles, () => {
    for (let n = 0; n < singles; n += 1) {
      writeSync(raw, page);
      fdatasyncSync(raw);
    }
  });
const singleRate = (): number => {
  const rows = Array.from({ length: singles }, row);
  return rate(singles, () => {
    for (const one of rows) store.accept([one]);
  });
};
const burstRate = (): number => {
  const rows = Array.from({ length: burst }, row);
  return rate(burst, () => void store.accept(rows));
};

store.accept(Array.from({ length: burst }, row));
const measured = Array.from({ length: rounds }, () => {
  const before = syncRate();
  const single = singleRate();
  const after = syncRate();
  return { sync: (before + after) / 2, single, burst: burstRate() };
});
const history = Array.from({ length: 300 }, () => {
  const started = performance.now();
  store.history({ roomId: 'ch_7', limit: 50 });
  return performance.now() - started;
});
store.release();
closeSync(raw);
rmSync(home, { recursive: true, force: true });

const of = (name: 'sync' | 'single' | 'burst'): number => Math.round(median(measured.map((m) => m[name])));
const figures = {
  fdatasyncPerSecond: of('sync'),
  singlePerSecond: of('single'),
  burstPerSecond: of('burst'),
  historyPageOf50Ms: Number(median(history).toFixed(3)),
};
report([
  {
    name: 'durable single message / fdatasync of 4 KiB',
    ratio: median(measured.map((m) => m.single / m.sync)),
    goal: 0.6,
    better: 'higher',
    figures,
  },
  {
    name: 'burst of 1,000 / single messages',
    ratio: median(measured.map((m) => m.burst / m.single)),
    goal: 10,
    better: 'higher',
    figures,
  },
]);
