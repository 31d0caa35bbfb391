/** Encrypted files: raw bytes up to 8 MiB, readable by every registered identity that knows the random id. */

import { ok } from '../contract/result.ts';
import { toHex } from '../core/lib/bytes.ts';
import { say } from '../language/say.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { checkBlobQuota } from './quotas.ts';
import { notFound, refuseRequest } from './refusal.ts';

export async function uploadBlobRoute(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  if (request.body.length === 0) return refuseRequest('InvalidInput', say('relay.fileEmpty'));
  const row = {
    blobId: `blob_${toHex(context.random.bytes(16))}`,
    ownerSlug: caller.slug,
    size: request.body.length,
    uploadedAt: context.clock.now(),
  };
  const done = await context.queue.run(() => {
    const allowed = checkBlobQuota(context, caller.slug, row.size);
    return allowed.ok ? ok(context.store.blobs.addBlob(row, request.body)) : allowed;
  });
  if (!done.ok) return done;
  return answer({ blob_id: row.blobId, size_bytes: row.size, uploaded_at: row.uploadedAt }, 201);
}

export function downloadBlobRoute(context: RelayContext, request: RelayRequest): RouteOutcome {
  const found = context.store.blobs.blob(request.params.id ?? '');
  return found ? answer(found.data) : notFound('blob');
}
