/**
 * Accepts messages one by one into the given account store, and prints the result of each: `ok ID` once it is
 * durable, `fail CODE` if the store refused it. Arguments: path, count, first number, bytes per message, and
 * `starve` to run out of file descriptors for the second and third message. After `fail` it goes on with the
 * next message, so that it survives a temporary fault.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { StoreError } from '../../src/core/lib/store-error.ts';
import { openAccountStore } from '../../src/services/db/account-store.ts';
import { sampleMessage } from '../fakes/message-samples.ts';

const [path = '', count = '0', first = '0', bytes = '100', mode = ''] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);
const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

const store = openAccountStore({
  path,
  slug: 'helper-9a7c',
  key: new Uint8Array(32).fill(5),
  log: quiet,
  clock: {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after: () => ({ cancel: () => undefined }),
  },
  onQuarantine: () => say('quarantined'),
});

function takeAllDescriptors(): number[] {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    return taken;
  }
}

let taken: number[] = [];
for (let n = Number(first); n < Number(first) + Number(count); n += 1) {
  const message = sampleMessage({ envelopeId: `msg_${n}`, content: 'x'.repeat(Number(bytes)), sentAt: n });
  if (mode === 'starve' && n === Number(first) + 1) {
    store.release();
    taken = takeAllDescriptors();
  }
  if (n === Number(first) + 3) for (const descriptor of taken) closeSync(descriptor);
  try {
    store.accept([{ message, decision: { react: true, reason: 'mention', priority: 1 } }]);
    say(`ok msg_${n}`);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    say(`fail ${error.code}`);
  }
}
try {
  store.release();
} catch {
  // The fault may last until the end.
}
