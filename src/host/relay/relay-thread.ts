/**
 * Entry of the worker thread that runs the embedded relay. The thread has its own event loop, SQLite handle
 * and crypto engine, so that no load on the relay delays the host.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../contract/errors.ts';
import type { Log } from '../../core/ports.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { selectCryptoEngine } from '../../services/crypto/select-engine.ts';
import { type HostedRelay, openRelay } from './open-relay.ts';
import type {
  FromRelayThread,
  RelayThreadData,
  ThreadLogLevel,
  ToRelayThread,
} from './relay-thread-frames.ts';

const post = (frame: FromRelayThread): void => parentPort?.postMessage(frame);

/** Log fields are copied between threads; a value that cannot be copied is sent as JSON text. */
function logTo(more: object = {}): Log {
  const write = (level: ThreadLogLevel) => (event: string, fields?: object) => {
    const whole = { ...more, ...fields };
    try {
      post({ type: 'log', level, event, fields: whole });
    } catch {
      post({ type: 'log', level, event, fields: { fields: String(JSON.stringify(whole)) } });
    }
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => logTo({ ...more, ...fields }),
  };
}

async function answer(relay: HostedRelay, { id, method, args }: ToRelayThread): Promise<void> {
  try {
    const call = relay[method] as (...values: readonly unknown[]) => Promise<unknown>;
    post({ type: 'answer', id, value: await call(...args) });
  } catch (error) {
    post({ type: 'failed', id, message: errorText(error) });
  }
  if (method === 'stop') parentPort?.close();
}

async function main(): Promise<void> {
  const { file, port } = workerData as RelayThreadData;
  const selected = await selectCryptoEngine();
  const opened = selected.ok
    ? await openRelay({
        file,
        port,
        crypto: selected.value.engine,
        log: logTo(),
        clock: createSystemClock(),
        random: createSystemRandom(),
      })
    : selected;
  if (!opened.ok) {
    post({ type: 'refused', error: opened.error });
    parentPort?.close();
    return;
  }
  const relay = opened.value;
  parentPort?.on('message', (frame: ToRelayThread) => void answer(relay, frame));
  post({ type: 'started', url: relay.url, port: relay.port });
}

await main();
