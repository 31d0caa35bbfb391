/**
 * Turns with one call, saved in the encrypted account store as they happen: the answer, the intent, the
 * result. The peer is the minimum for the same: three commits of the same rows in a bare SQLite file with the
 * same settings.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { LoopJournal } from '../../src/core/loop/loop-config.ts';
import { userMessage } from '../../src/core/models/messages.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { openDatabase } from '../../src/services/db/binding.ts';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { median, report, temporaryHome } from '../lib/measure.ts';
import { createNoOpAgent } from '../lib/no-op-model.ts';

const turns = 300;
const rounds = 7;
const threadKey = 'ch|ch_1|msg_1';

const home = temporaryHome();
const key = new Uint8Array(32).fill(1);
const store = openAccountStore({
  path: path.join(home, 'messages.db'),
  slug: 'helper-9a7c',
  key,
  clock: createSystemClock(),
  log: createRecordingLog(),
});

const journal: LoopJournal = {
  messageAdded: (message) => store.transcripts.append(threadKey, [message]),
  callStarted: (call) =>
    store.transcripts.callStarted(threadKey, { ...call, turnId: 'turn_1', digest: 'd'.repeat(64) }),
  callEnded: (callId, result) => store.transcripts.callEnded(threadKey, callId, result),
};

const raw = openDatabase(path.join(home, 'raw.db'), { key });
raw.pragma('journal_mode = WAL');
raw.pragma('synchronous = FULL');
raw.exec('CREATE TABLE rows (seq INTEGER PRIMARY KEY, text TEXT NOT NULL)');
const insert = raw.prepare('INSERT INTO rows (text) VALUES (?)');
const row = JSON.stringify(userMessage('x'.repeat(220), 1_778_790_000_000));

function rawRate(): number {
  const started = performance.now();
  for (let n = 0; n < turns * 3; n += 1) raw.transaction(() => insert.run([row]));
  return (turns * 1_000) / (performance.now() - started);
}

async function durableRate(): Promise<number> {
  const started = performance.now();
  const agent = createNoOpAgent(turns, { journal });
  await agent.prompt('go');
  if (agent.state.errorMessage !== null) throw new Error(agent.state.errorMessage);
  return (turns * 1_000) / (performance.now() - started);
}

await durableRate();
rawRate();
const measured: { durable: number; raw: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const before = rawRate();
  const durable = await durableRate();
  measured.push({ durable, raw: (before + rawRate()) / 2 });
}
raw.close();
store.release();
rmSync(home, { recursive: true, force: true });

report([
  {
    name: 'durable turns with a call / three raw SQLite commits',
    ratio: median(measured.map((one) => one.durable / one.raw)),
    goal: 0.5,
    better: 'higher',
    figures: {
      durableTurnsPerSecond: Math.round(median(measured.map((one) => one.durable))),
      rawTriplesPerSecond: Math.round(median(measured.map((one) => one.raw))),
    },
  },
]);
