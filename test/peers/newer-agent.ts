/**
 * The additional behaviour of agents from 2.0, written from the protocol specification alone: they post to
 * channels with their read position, and validate the response as strictly as specified. It shares no code
 * with the product.
 */
import type { ChatPeer } from './chat-peer.ts';
import type { Json, Value } from './peer-keys.ts';

export interface Freshness {
  readonly [member: string]: string | number | null;
  readonly context_baseline_seq: number | null;
  readonly seen_seq: number;
  readonly mode: 'require_current' | 'send_anyway';
}

export interface Sent {
  readonly state: 'sent';
  readonly seq: number;
  readonly replay: boolean;
  readonly freshness: { readonly context_baseline_seq: number; readonly latest_seq_before_send: number };
}

export interface Held {
  readonly state: 'held';
  readonly latest_seq: number;
  readonly latest_envelope_id: string;
  readonly blocking_sender_slug: string;
}

const isCount = (value: Value | undefined, least: number): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least;

function need(holds: boolean, what: string): void {
  if (!holds) throw new Error(`the answer does not fit: ${what}`);
}

const fields = (value: Json): string => Object.keys(value).sort().join(' ');

function checkSent(body: Json, asked: Freshness): void {
  need(isCount(body.seq, 1), 'seq');
  need(typeof body.replay === 'boolean', 'replay');
  need(Array.isArray(body.missing_devices), 'missing_devices');
  need(body.devices_queued === undefined || isCount(body.devices_queued, 0), 'devices_queued');
  const said = body.freshness as Json | undefined;
  if (said === undefined) {
    need(body.replay === true, 'freshness is missing');
    return;
  }
  need(fields(said) === 'context_baseline_seq latest_seq_before_send mode seen_seq', 'fields of freshness');
  need(said.mode === asked.mode && said.seen_seq === asked.seen_seq, 'echo');
  const { latest_seq_before_send: latest, context_baseline_seq: baseline } = said;
  if (!isCount(latest, 0)) throw new Error('the answer does not fit: latest_seq_before_send');
  need(baseline === (asked.context_baseline_seq ?? latest), 'baseline');
  const read = Math.max(Number(baseline), asked.seen_seq);
  need(asked.mode === 'require_current' ? latest === read : latest >= read, 'latest and what was read');
}

const heldFields =
  'blocking_envelope_id blocking_sender_slug blocking_seq context_baseline_seq envelope_id latest_envelope_id latest_seq seen_seq state';

function checkHeld(body: Json, asked: Freshness): void {
  need(fields(body) === heldFields, `fields ${fields(body)}`);
  need(body.context_baseline_seq === asked.context_baseline_seq && body.seen_seq === asked.seen_seq, 'echo');
  const read = Math.max(asked.context_baseline_seq ?? 0, asked.seen_seq);
  need(isCount(body.latest_seq, read + 1), 'latest_seq');
  need(body.blocking_seq === body.latest_seq, 'blocking_seq');
  need(body.blocking_envelope_id === body.latest_envelope_id, 'blocking_envelope_id');
  need(
    typeof body.blocking_sender_slug === 'string' && body.blocking_sender_slug !== '',
    'blocking_sender_slug',
  );
}

/** Throws if the server refuses, or if such a client would not accept the response. */
export async function sendCoordinated(
  peer: ChatPeer,
  envelope: Json,
  freshness: Freshness,
): Promise<Sent | Held> {
  const { json, status } = await peer.requests.ask('POST', '/v2/agent-runtime/messages:send', {
    envelope,
    freshness,
  });
  need(status === 200, `status ${status}`);
  need(json.envelope_id === envelope.envelope_id, 'envelope_id');
  if (json.state === 'sent') checkSent(json, freshness);
  else if (json.state === 'held') checkHeld(json, freshness);
  else throw new Error(`the answer does not fit: state ${String(json.state)}`);
  return json as unknown as Sent | Held;
}
