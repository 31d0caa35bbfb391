/** Reads a request's bytes under a cap and a deadline (T24, F12): neither endless nor slow bodies cost more than that. */
import type { IncomingMessage } from 'node:http';
import { ok, type Result } from '../contract/result.ts';
import type { Clock } from '../core/ports.ts';
import { type Refusal, refuse } from './refusal.ts';

export interface BodyLimits {
  readonly bytes: number;
  /** ms from now to the last byte. */
  readonly ms: number;
}

const megabytes = (bytes: number): string => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;

export function readBody(
  incoming: IncomingMessage,
  limits: BodyLimits,
  clock: Clock,
): Promise<Result<Uint8Array, Refusal>> {
  const tooLarge = () =>
    refuse('PAYLOAD_TOO_LARGE', `At most ${megabytes(limits.bytes)} fit into one request.`);
  const announced = Number(incoming.headers['content-length'] ?? 0);
  if (announced > limits.bytes) return Promise.resolve(tooLarge());
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const done = (result: Result<Uint8Array, Refusal>): void => {
      deadline.cancel();
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      if (!result.ok) incoming.pause();
      resolve(result);
    };
    const onData = (piece: Buffer): void => {
      size += piece.length;
      if (size > limits.bytes) done(tooLarge());
      else pieces.push(piece);
    };
    const onEnd = (): void => done(ok(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)));
    const onGone = (): void => done(refuse('InvalidInput', 'The request ended before its body.'));
    const deadline = clock.after(
      limits.ms,
      () => done(refuse('REQUEST_TIMEOUT', 'The body of the request came too slowly.')),
      { unref: true },
    );
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
