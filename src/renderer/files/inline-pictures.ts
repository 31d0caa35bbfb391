/**
 * Fetches the pictures of messages one at a time: the host keeps few files decrypted, and pictures that are read in
 * pieces by turns would make it decrypt the whole file for each piece. Keeps the latest pictures drawn.
 */
import type { Result } from '../../contract/result.ts';
import type { Drawn } from './draw-picture.ts';
import type { FileRef } from './fetch-file.ts';

export interface InlinePicturesDeps {
  fetch(file: FileRef, signal: AbortSignal): Promise<Result<Blob>>;
  /** `null` for a file that cannot be shown. */
  draw(file: Blob): Promise<Drawn | null>;
}

export interface InlinePictures {
  /** A picture that is still drawn; `undefined` if it must be fetched. */
  known(file: FileRef): Drawn | null | undefined;
  /** As `known`, after fetching it in turn; `undefined` if that failed or was cancelled. */
  load(deps: InlinePicturesDeps, file: FileRef, signal: AbortSignal): Promise<Drawn | null | undefined>;
}

const mostDrawn = 24;

const keyOf = ({ message, index }: FileRef): string => `${message} ${index}`;

export function createInlinePictures(): InlinePictures {
  const drawn = new Map<string, Drawn | null>();
  let last: Promise<unknown> = Promise.resolve();

  const known = (file: FileRef): Drawn | null | undefined => {
    const key = keyOf(file);
    const picture = drawn.get(key);
    if (picture === undefined) return undefined;
    drawn.delete(key);
    drawn.set(key, picture);
    return picture;
  };

  const fetched = async (
    { fetch, draw }: InlinePicturesDeps,
    file: FileRef,
    signal: AbortSignal,
  ): Promise<Drawn | null | undefined> => {
    const found = known(file);
    if (found !== undefined || signal.aborted) return found;
    const blob = await fetch(file, signal);
    if (!blob.ok) return undefined;
    const picture = await draw(blob.value);
    drawn.set(keyOf(file), picture);
    for (const oldest of [...drawn.keys()].slice(0, -mostDrawn)) drawn.delete(oldest);
    return picture;
  };

  return {
    known,
    load(deps, file, signal) {
      const own = last.then(() => fetched(deps, file, signal)).catch(() => undefined);
      last = own;
      return own;
    },
  };
}

/** Calls `load` each time the place comes into view, once at a time, until it returns true. Returns a stop. */
export function onceInView(place: Element, load: () => Promise<boolean>): () => void {
  let isLoading = false;
  const watch = new IntersectionObserver((seen) => {
    if (isLoading || !seen.some(({ isIntersecting }) => isIntersecting)) return;
    isLoading = true;
    void load().then((isDone) => {
      isLoading = false;
      if (isDone) watch.disconnect();
    });
  });
  watch.observe(place);
  return () => watch.disconnect();
}
