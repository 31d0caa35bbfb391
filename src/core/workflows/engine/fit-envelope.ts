/**
 * Keeps envelopes within their size cap. A question that is too large loses its shown content, never the
 * token that answers it.
 */
import { cutCodePoints } from '../../lib/text.ts';
import type { Json } from '../file/definition.ts';
import { type JsonValue, stringifyExact } from '../pipeline/exact-json.ts';
import type { Envelope } from './envelope.ts';

const sizeOf = (value: unknown): number => Buffer.byteLength(stringifyExact(value as JsonValue));

/** First items that fit into `room` bytes. */
function firstItems(items: readonly Json[], room: number): readonly Json[] {
  let left = room;
  const kept: Json[] = [];
  for (const item of items) {
    left -= sizeOf(item) + 1;
    if (left < 0) break;
    kept.push(item);
  }
  return kept;
}

type Paused = Extract<Envelope, { ok: true }> & { readonly truncated?: true };

function smaller(envelope: Extract<Envelope, { ok: true }>, cap: number): Paused {
  const { requiresApproval: asks, requiresInput: input } = envelope;
  const room = Math.max(0, Math.floor(cap / 4));
  if (asks) {
    const items = firstItems(asks.items, room);
    const preview = asks.preview === undefined ? {} : { preview: cutCodePoints(asks.preview, room >> 1) };
    const prompt = cutCodePoints(asks.prompt, Math.max(200, room >> 1));
    return { ...envelope, truncated: true, requiresApproval: { ...asks, prompt, items, ...preview } };
  }
  if (!input) return envelope;
  const { subject: _, defaults: __, ...rest } = input;
  return {
    ...envelope,
    truncated: true,
    requiresInput: { ...rest, prompt: cutCodePoints(input.prompt, 4_096) },
  };
}

/** `cap`: most bytes of one envelope in tool mode. */
export function fitEnvelope(envelope: Envelope, cap: number): Envelope {
  const size = sizeOf(envelope);
  if (size <= cap || !envelope.ok) return envelope;
  if (envelope.requiresApproval || envelope.requiresInput) return smaller(envelope, cap);
  const message = `puppy output exceeded maxStdoutBytes (${cap} of ${size}). The run is done, and its output is kept.`;
  return {
    protocolVersion: 1,
    ok: false,
    error: { type: 'runtime_error', message },
    ...(envelope.runId === undefined ? {} : { runId: envelope.runId }),
  };
}
