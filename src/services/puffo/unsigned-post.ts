/** A request without a signature, to a server that knows no key of the sender yet. */
import type { Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { createServerClock } from './clock-skew.ts';
import { readAnswer } from './read-answer.ts';
import type { RequestError } from './request-error.ts';
import type { Transport } from './transport.ts';

const encoder = new TextEncoder();

export async function postUnsigned(
  transport: Transport,
  clock: Clock,
  target: string,
  body: object,
): Promise<Result<unknown, RequestError>> {
  const answer = await transport.send({
    method: 'POST',
    target,
    headers: { 'content-type': 'application/json' },
    body: encoder.encode(JSON.stringify(body)),
  });
  return readAnswer(answer, createServerClock(clock));
}
