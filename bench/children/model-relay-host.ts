/** The model relay in a process of its own, before the model server at the address in its first argument. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ok } from '../../src/contract/result.ts';
import type { Log } from '../../src/core/ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { createModelRelays } from '../../src/services/models/relay/model-relay.ts';
import { createFreeSpend } from '../../test/fakes/free-spend.ts';

const [baseUrl = ''] = process.argv.slice(2);
const log: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const relays = createModelRelays({
  clock: createSystemClock(),
  random: createSystemRandom(),
  log,
  socketPath: (id) => ok(path.join(tmpdir(), `kennel-bench-${id}.sock`)),
  addSecret: () => {},
});
const opened = await relays.open({
  agentId: 'bench',
  formats: ['openai-chat'],
  spend: createFreeSpend(),
  models: {
    choose: () =>
      ok({
        provider: 'openai-compatible',
        adapter: 'openai-completions',
        model: 'bench',
        baseUrl,
        apiKey: 'key',
        auth: 'api_key',
        scripted: false,
        reason: 'agent',
      }),
    gate: {
      enter: () => 0,
      succeeded() {},
      reason: () => null,
      failed() {},
      abandoned() {},
      pause() {},
      pausedUntil: () => null,
    },
  },
  tools: () => null,
  turn: () => ({ turnId: 't', threadKey: 'bench', onRefused() {}, onPaused() {} }),
});
if (!opened.ok) throw new Error(opened.error.message);
process.send?.({ url: opened.value.url, token: opened.value.token });
process.once('disconnect', () => void relays.close());
