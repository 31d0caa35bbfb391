import { afterEach, expect, test, vi } from 'vitest';
import { textError } from '../../contract/errors.ts';
import type { HostClient } from '../../contract/host-api.ts';
import { err, ok } from '../../contract/result.ts';
import { fetchFile } from './fetch-file.ts';
import { createInlinePictures, type InlinePicturesDeps, onceInView } from './inline-pictures.ts';

afterEach(() => vi.unstubAllGlobals());

const staying = new AbortController().signal;
const file = (n: number) => ({ message: `msg_${n}`, index: 0 });

/** A host whose files have three pieces of one byte, and the order in which the pieces are read. */
function fakeHost() {
  const read: string[] = [];
  const failing = new Set<string>();
  const link = {
    call: async (_method: string, { message, offset }: { message: string; offset: number }) => {
      read.push(`${message} ${offset}`);
      if (failing.has(message)) return err(textError('unavailable', 'Offline.'));
      return ok({ base64: 'AA==', done: offset === 2 });
    },
  } as unknown as HostClient;
  const deps: InlinePicturesDeps = {
    fetch: (wanted, signal) => fetchFile(link, wanted, { limit: 9, signal, progress: () => undefined }),
    draw: async ({ size }) => ({ url: `data:${size}`, width: 1, height: 1 }),
  };
  return { read, failing, deps };
}

const pieces = (...ns: number[]): string[] => ns.flatMap((n) => [0, 1, 2].map((at) => `msg_${n} ${at}`));

test('Four pictures of a room are read one after the other, and not again when the room opens again', async () => {
  const { read, deps } = fakeHost();
  const pictures = createInlinePictures();
  const open = () => Promise.all([1, 2, 3, 4].map((n) => pictures.load(deps, file(n), staying)));
  expect(pictures.known(file(1))).toBeUndefined();
  const drawn = await open();
  expect(drawn.map((one) => one?.url)).toEqual(['data:3', 'data:3', 'data:3', 'data:3']);
  expect(read).toEqual(pieces(1, 2, 3, 4));
  expect(await open()).toEqual(drawn);
  expect(pictures.known(file(1))).toEqual(drawn[0]);
  expect(read).toHaveLength(12);
});

test('A picture that left the page before its turn is not read, and a failed one does not stop the next', async () => {
  const { read, failing, deps } = fakeHost();
  const pictures = createInlinePictures();
  const left = new AbortController();
  failing.add('msg_1');
  const loads = [
    pictures.load(deps, file(1), staying),
    pictures.load(deps, file(2), left.signal),
    pictures.load(deps, file(3), staying),
  ];
  left.abort();
  expect((await Promise.all(loads)).map((one) => one?.url)).toEqual([undefined, undefined, 'data:3']);
  expect(read).toEqual(['msg_1 0', ...pieces(3)]);
  failing.clear();
  expect((await pictures.load(deps, file(1), staying))?.url).toBe('data:3');
});

test('The latest 24 pictures stay drawn', async () => {
  const { deps } = fakeHost();
  const pictures = createInlinePictures();
  for (let n = 1; n <= 24; n += 1) await pictures.load(deps, file(n), staying);
  pictures.known(file(1));
  await pictures.load(deps, file(25), staying);
  expect([1, 2, 3, 25].map((n) => pictures.known(file(n)) !== undefined)).toEqual([true, false, true, true]);
});

test('A failed picture is tried again when it comes into view again, and a drawn one is not', async () => {
  let seen: (entries: { isIntersecting: boolean }[]) => void = () => undefined;
  const stop = vi.fn();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(report: typeof seen) {
        seen = report;
      }
      observe(): void {}
      disconnect = stop;
    },
  );
  const results = [false, true];
  const load = vi.fn(async () => results.shift() ?? true);
  onceInView({} as Element, load);
  const scroll = async (isIntersecting: boolean): Promise<void> => {
    seen([{ isIntersecting }]);
    await Promise.resolve();
    await Promise.resolve();
  };
  await scroll(false);
  expect(load).toHaveBeenCalledTimes(0);
  await scroll(true);
  expect(load).toHaveBeenCalledTimes(1);
  expect(stop).not.toHaveBeenCalled();
  await scroll(false);
  await scroll(true);
  expect(load).toHaveBeenCalledTimes(2);
  expect(stop).toHaveBeenCalledTimes(1);
});
