import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ModelEvent } from '../../../src/core/models/model-ports.ts';
import { type AdapterUnderTest, collect, hello, targetOf } from './adapter-under-test.ts';
import { adaptersUnderTest } from './adapters.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/streams');

export interface Recording {
  /** `<adapter>-<what it shows>`. */
  readonly name: string;
  readonly adapter: AdapterUnderTest;
  readonly bytes: Uint8Array;
}

/** Provider streams, one per file. */
export const recordings: readonly Recording[] = readdirSync(folder).map((file) => {
  const name = path.basename(file, '.sse');
  const adapter = adaptersUnderTest.find((one) => name.startsWith(`${one.name}-`));
  if (!adapter) throw new Error(`no adapter for ${file}`);
  return { name, adapter, bytes: new Uint8Array(readFileSync(path.join(folder, file))) };
});

const clock = { now: () => 1, monotonic: () => 1, after: () => ({ cancel: () => undefined }) };

/**
 * Events of the adapter for these pieces, with a proper or a broken end. Uses no socket, because the suite has
 * many thousands of cases.
 */
export function replay(
  adapter: AdapterUnderTest,
  pieces: readonly Uint8Array[],
  end: 'close' | 'break',
): Promise<ModelEvent[]> {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[at];
      at += 1;
      if (piece) controller.enqueue(piece);
      else if (end === 'close') controller.close();
      else controller.error(new TypeError('terminated'));
    },
  });
  const headers = { 'content-type': 'text/event-stream' };
  const model = adapter.create({ clock, fetch: async () => new Response(body, { headers }) });
  const target = targetOf(adapter, 'http://models.test');
  const options = { maxOutputTokens: 100, thinkingLevel: 'off' } as const;
  return collect(model.stream(target, hello, options, new AbortController().signal));
}
