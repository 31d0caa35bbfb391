/**
 * Encrypted files on the server: uploads raw bytes; downloads with retries, because a blob may appear after
 * its message.
 */
import { z } from 'zod';
import { err, ok, type Result } from '../../contract/result.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { Clock } from '../../core/ports.ts';
import { maxBlobBytes } from '../../core/puffo/wire.ts';
import { say } from '../../language/say.ts';
import type { ServerClock } from './clock-skew.ts';
import { readAnswer } from './read-answer.ts';
import { noAnswer, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

const answerSchema = z.looseObject({ blob_id: z.string().min(1).max(200) });
const deadlineMs = 120_000;
/** ms before each further download attempt while the server answers 404 (spec §2.2). */
const waitsMs = [5_000, 5_000, 5_000];
const maxErrorBytes = 64 * 1024;

export async function uploadBlob(
  client: SignedClient,
  bytes: Uint8Array,
  onSent?: (bytes: number) => void,
): Promise<Result<{ readonly blobId: string }, RequestError>> {
  if (bytes.length > maxBlobBytes) return err(noAnswer('too_large', say('chat.fileTooLarge')));
  const answer = await client.json('POST', '/blobs/upload', answerSchema, {
    body: bytes,
    contentType: 'application/octet-stream',
    deadlineMs,
    ...(onSent === undefined ? {} : { onSent }),
  });
  return answer.ok ? ok({ blobId: answer.value.blob_id }) : answer;
}

export async function downloadBlob(
  client: SignedClient,
  blobId: string,
  deps: {
    readonly clock: Clock;
    readonly skew: ServerClock;
    readonly signal: AbortSignal;
    readonly patient?: boolean;
  },
): Promise<Result<Uint8Array, RequestError>> {
  const target = `/blobs/${encodeURIComponent(blobId)}`;
  for (const wait of deps.patient === false ? [null] : [...waitsMs, null]) {
    const answer = await client.bytes('GET', target, { deadlineMs, maxBytes: maxBlobBytes + maxErrorBytes });
    if (!answer.ok) return answer;
    const { status, body } = answer.value;
    if (status === 200) return ok(body);
    const last = wait === null || status !== 404 || !(await sleep(deps.clock, wait, deps.signal));
    if (!last) continue;
    const refusal = readAnswer(answer, deps.skew);
    return err(refusal.ok ? noAnswer('protocol', say('server.fileMissing')) : refusal.error);
  }
  return err(noAnswer('not_found', say('server.unknownFile')));
}
