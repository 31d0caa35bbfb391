/**
 * Says `ready`, waits for a byte, then opens the given journal together with other writers. It starts runs,
 * claims shared ones, decides gates, and prints each success: `begun N`, `claimed RUN`, `decided GATE`.
 * Arguments: path, name, count.
 */
import { readSync, writeSync } from 'node:fs';
import { openSampleJournal, sampleGate, sampleRun } from '../fakes/workflow-samples.ts';

const [path = '', name = '', count = '0'] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);

say('ready');
readSync(0, Buffer.alloc(1));
const journal = openSampleJournal(path, null);
for (let n = 0; n < Number(count); n += 1) {
  const id = `${name}-${n}`;
  journal.create(sampleRun(id));
  say(`begun ${id}`);
  const shared = journal.create(sampleRun(`shared-${n}-${name}`, { idempotencyKey: `shared ${n}` })).id;
  if (journal.claim(shared, null, name)) say(`claimed ${n}`);
  const gate = `gate ${n}`;
  const opened = journal.append({
    run: shared,
    at: 5,
    afterSeq: 0,
    owner: name,
    events: [],
    gates: [{ type: 'open', row: sampleGate(shared, gate) }],
  });
  if (opened.ok) say(`opened ${n}`);
  const decided = journal.append({
    run: shared,
    at: 6,
    afterSeq: 0,
    events: [{ type: 'step_skipped', path: name }],
    gates: [
      {
        type: 'use',
        gate,
        tokenHash: null,
        contentHash: 'content',
        votes: 0,
        decision: 'approve',
        nextTokenHash: null,
      },
    ],
  });
  if (decided.ok) say(`decided ${n}`);
}
journal.release();
