/**
 * A long history in the encrypted store: a search for the newest 50 against the same search in a plain FTS5
 * table under the same cipher, an old page against the first one, and the file size against its text.
 * `KENNEL_BENCH_MESSAGES` sets the number of messages: a million by default, fewer in CI.
 */

import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ChannelId } from '../../src/contract/room-id.ts';
import type { AcceptRow } from '../../src/core/puffo/account-store.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { openDatabase } from '../../src/services/db/binding.ts';
import { sampleMessage } from '../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../test/fakes/seeded-random.ts';
import { median, quantile, report, temporaryHome } from '../lib/measure.ts';

const messages = Number(process.env.KENNEL_BENCH_MESSAGES ?? (process.env.CI ? 150_000 : 1_000_000));
const batch = 2_000;
const vocabulary = 50_000;
const searches = 600;
const pageSize = 50;
const farPage = 2_000;

const home = temporaryHome();
const key = new Uint8Array(32).fill(1);
const file = path.join(home, 'messages.db');
const store = openAccountStore({
  path: file,
  slug: 'helper-9a7c',
  key,
  clock: createSystemClock(),
  log: createRecordingLog(),
});
const plain = openDatabase(path.join(home, 'plain.db'), { key });
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -1024']) plain.pragma(pragma);
plain.exec("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')");
const insertPlain = plain.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');

const random = createSeededRandom(41);
/** Word frequencies are skewed: a few words are frequent, most are rare. */
const word = (): string => `w${Math.floor(vocabulary ** random.fraction())}x`;
const uuid = (): string => random.uuid();
const rooms = Array.from({ length: 20 }, (): ChannelId => `ch_${uuid()}`);
const [busy = 'ch_none'] = rooms;

let made = 0;
let textBytes = 0;
function row(): AcceptRow {
  made += 1;
  const content = Array.from({ length: 8 + Math.floor(random.fraction() * 64) }, word).join(' ');
  textBytes += content.length;
  const room = made % 5 === 0 ? (rooms[made % rooms.length] ?? busy) : busy;
  const message = sampleMessage({
    envelopeId: `msg_${uuid()}`,
    roomId: room,
    channelId: room,
    spaceId: `sp_${rooms[1]?.slice(3)}`,
    content,
    sentAt: 1_778_790_000_000 + made,
  });
  const nonce = Buffer.from(uuid().replaceAll('-', ''), 'hex').toString('base64url');
  return { message, decision: { react: false, reason: 'not_mentioned', priority: 3 }, nonce };
}

for (let done = 0; done < messages; done += batch) {
  const rows = Array.from({ length: Math.min(batch, messages - done) }, row);
  store.accept(rows);
  plain.transaction(() => {
    for (const [at, { message }] of rows.entries()) insertPlain.run([done + at + 1, String(message.content)]);
  });
}
const before = performance.now();
while (store.search.catchUp());
const indexMs = performance.now() - before;

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

const findPlain = plain.prepare(
  'SELECT rowid, text FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 51',
);
const queries = Array.from({ length: searches }, (_, n) => (n % 3 === 0 ? [word(), word()] : [word()]));
const found = queries.map((words) => ({
  ours: timed(() => store.search.find({ words: words.join(' '), limit: 50 })),
  plain: timed(() => findPlain.all([words.map((each) => `"${each}"`).join(' ')])),
}));

const first = (): number => timed(() => store.history({ roomId: busy, limit: pageSize }));
let from = '';
for (let page = 1; page < farPage; page += 1) {
  const { messages: shown } = store.history({
    roomId: busy,
    limit: pageSize,
    ...(from === '' ? {} : { before: from }),
  });
  from = shown[0]?.envelopeId ?? '';
}
const far = (): number => timed(() => store.history({ roomId: busy, limit: pageSize, before: from }));
const pages = Array.from({ length: 300 }, () => ({ first: first(), far: far() }));

store.release();
plain.close();
const bytes = statSync(file).size;
rmSync(home, { recursive: true, force: true });

const p99 = (name: 'ours' | 'plain'): number =>
  quantile(
    found.map((one) => one[name]),
    0.99,
  );
const ms = (value: number): number => Number(value.toFixed(3));
report([
  {
    name: `newest 50 of ${messages.toLocaleString('en')} messages, p99 / plain FTS5`,
    ratio: p99('ours') / p99('plain'),
    goal: 2,
    better: 'lower',
    figures: {
      p99Ms: ms(p99('ours')),
      plainP99Ms: ms(p99('plain')),
      medianMs: ms(median(found.map(({ ours }) => ours))),
      indexedPerSecond: Math.round((messages * 1_000) / indexMs),
    },
  },
  {
    name: 'page 2,000 of a room / page 1',
    ratio: median(pages.map((one) => one.far)) / median(pages.map((one) => one.first)),
    goal: 1.5,
    better: 'lower',
    figures: {
      firstMs: ms(median(pages.map((one) => one.first))),
      farMs: ms(median(pages.map((one) => one.far))),
    },
  },
  {
    name: 'bytes on disk / bytes of text',
    ratio: bytes / textBytes,
    goal: 3,
    better: 'lower',
    figures: {
      bytesPerMessage: Math.round(bytes / messages),
      textPerMessage: Math.round(textBytes / messages),
    },
  },
]);
