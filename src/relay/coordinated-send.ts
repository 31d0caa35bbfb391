/**
 * Channel messages that are sent only if the sender has read the channel up to its head (`POST
 * /v2/agent-runtime/messages:send`, clients from 2.0). A message behind the head is held: nothing is stored,
 * and the sender learns what it has not read.
 */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { messageEnvelopeSchema } from '../core/puffo/wire.ts';
import { say } from '../language/say.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { type Delivered, deliver, roomSlugs } from './delivery.ts';
import { fitsFrame, publishDelivered, rawSchema, type Sendable, sealedMessage } from './message-routes.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import type { ChannelHead } from './store-port-agents.ts';

const seqSchema = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const requestSchema = z.object({
  envelope: messageEnvelopeSchema,
  freshness: z.object({
    /** `null` if never established; 0 if the channel was known to be empty. */
    context_baseline_seq: seqSchema.nullable(),
    seen_seq: seqSchema,
    mode: z.enum(['require_current', 'send_anyway']),
  }),
});
type Freshness = z.output<typeof requestSchema>['freshness'];

/** Stored with the message and returned on every replay. */
interface StoredFreshness {
  readonly mode: Freshness['mode'];
  readonly context_baseline_seq: number;
  readonly seen_seq: number;
  readonly latest_seq_before_send: number;
}

type Decision =
  | {
      readonly state: 'sent';
      readonly delivered: Delivered;
      readonly replay: boolean;
      readonly freshness: StoredFreshness | null;
    }
  | { readonly state: 'held'; readonly head: ChannelHead };

export async function sendCoordinated(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const raw = request.json(z.object({ envelope: rawSchema }));
  const parsed = request.json(requestSchema);
  if (!parsed.ok) return parsed;
  if (!raw.ok) return raw;
  const { envelope, freshness } = parsed.value;
  const sendable = sealedMessage(context, raw.value.envelope, envelope, caller);
  if (!sendable.ok) return sendable;
  const { message } = sendable.value;
  if (message.channelId === null) {
    return refuseRequest('InvalidInput', say('relay.directHasNoHead'));
  }
  const short = fitsFrame(context, message);
  if (!short.ok) return short;
  const { channelId } = message;
  const done = await context.queue.run(() => decide(context, channelId, sendable.value, freshness));
  if (!done.ok) return done;
  if (done.value.state === 'held') return answer(heldBody(message.envelopeId, freshness, done.value.head));
  const { delivered, replay } = done.value;
  publishDelivered(context, message, delivered);
  return answer({
    state: 'sent',
    envelope_id: delivered.envelopeId,
    seq: delivered.seq,
    replay,
    missing_devices: delivered.missing,
    devices_queued: delivered.devicesQueued,
    ...(done.value.freshness ? { freshness: done.value.freshness } : {}),
  });
}

/** Runs inside the transaction, so that two senders never both see the same head. */
function decide(
  context: RelayContext,
  channelId: string,
  { message, entries }: Sendable,
  freshness: Freshness,
): Result<Decision, Refusal> {
  const { store, clock, limits } = context;
  const send = () =>
    deliver(store, { message, entries, now: clock.now(), heldPerStranger: limits.heldPerStranger });
  if (store.mail.message(message.envelopeId)) {
    const again = send();
    if (!again.ok) return again;
    const stored = store.mail.freshness(again.value.seq);
    return ok({
      state: 'sent',
      delivered: again.value,
      replay: true,
      freshness: stored === null ? null : (JSON.parse(stored) as StoredFreshness),
    });
  }
  const room = roomSlugs(store, message);
  if (!room.ok) return room;
  const head = store.mail.channelHead(channelId);
  const latest = head?.seq ?? 0;
  const { mode, context_baseline_seq: baseline, seen_seq: seen } = freshness;
  const known = Math.max(seen, baseline ?? 0);
  if (known > latest) return refuseRequest('CONFLICT', say('relay.sequenceUnknown'));
  // A new member cannot read the history, so it need not have seen any of it.
  const isNewcomer = baseline === null && seen === 0;
  if (head && mode === 'require_current' && known < latest && !isNewcomer) return ok({ state: 'held', head });
  const delivered = send();
  if (!delivered.ok) return delivered;
  const stored: StoredFreshness = {
    mode,
    context_baseline_seq: baseline ?? latest,
    seen_seq: seen,
    latest_seq_before_send: latest,
  };
  store.mail.saveFreshness(delivered.value.seq, JSON.stringify(stored));
  return ok({ state: 'sent', delivered: delivered.value, replay: false, freshness: stored });
}

const heldBody = (envelopeId: string, freshness: Freshness, head: ChannelHead) => ({
  state: 'held',
  envelope_id: envelopeId,
  context_baseline_seq: freshness.context_baseline_seq,
  seen_seq: freshness.seen_seq,
  latest_seq: head.seq,
  latest_envelope_id: head.envelopeId,
  blocking_seq: head.seq,
  blocking_envelope_id: head.envelopeId,
  blocking_sender_slug: head.senderSlug,
});
