/** Output of a program: the end of its standard error, and an end for children that keep its output open. */
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Bytes kept from the end of standard error. */
const keptBytes = 16_384;

export function tailOf(stream: Readable | null): () => string {
  let kept = Buffer.alloc(0);
  stream?.on('error', () => undefined);
  stream?.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]).subarray(-keptBytes);
  });
  return () => new TextDecoder().decode(kept);
}

/**
 * After the program's end, other holders of its output get `drainMs` and are then killed by `endTree`. Returns
 * a function that stops this.
 */
export function endHolders(
  output: Readable | null,
  exited: Promise<unknown>,
  endTree: () => void,
  drainMs: number,
): () => void {
  const stdout = output as Socket | null;
  let timer: NodeJS.Timeout | null = null;
  let over = false;
  let seen = -1;
  const look = (): void => {
    if (over || !stdout || stdout.destroyed || stdout.readableEnded) return;
    endTree();
    // The output is empty, and a process that cannot be ended holds the other end.
    if (stdout.bytesRead === seen && stdout.readableLength === 0) stdout.destroy();
    seen = stdout.bytesRead;
    timer = setTimeout(look, drainMs);
  };
  void exited.then(() => {
    if (!over) timer = setTimeout(look, drainMs);
  });
  return () => {
    over = true;
    if (timer) clearTimeout(timer);
  };
}
