/** Envelopes within their cap. A question that is too large loses what it shows, never the token that answers it. */

import type { AppError } from '../../contract/errors.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { Envelope } from '../../core/workflows/engine/envelope.ts';
import { errorEnvelope, exitCodeOf } from '../../core/workflows/engine/envelope.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import {
  holdsBigint,
  type JsonValue,
  parseExact,
  readExact,
  stringifyExact,
} from '../../core/workflows/pipeline/exact-json.ts';

/** Whole numbers beyond 2^53 as they are. */
export const jsonText = (value: unknown, indent = 2): string => stringifyExact(value as JsonValue, indent);

/** Of JSON that was written so. */
export const jsonValue = (text: string): unknown => readExact(text);

/** What somebody answers to a form. The error is half a sentence: a number that no schema can compare is one, too. */
export function responseOf(text: string): Result<Json, string> {
  const read = parseExact(text);
  if (!read.ok) return read;
  return holdsBigint(read.value)
    ? err('a whole number beyond 2^53 goes into quotes')
    : ok(read.value as Json);
}

const sizeOf = (value: unknown): number => Buffer.byteLength(stringifyExact(value as JsonValue));

/** As many items as fit into a share of the cap. */
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

/** Most bytes of one answer in tool mode. */
export function fitEnvelope(envelope: Envelope, cap: number): Envelope {
  if (sizeOf(envelope) <= cap || !envelope.ok) return envelope;
  if (envelope.requiresApproval || envelope.requiresInput) return smaller(envelope, cap);
  const message = `puppy output exceeded maxStdoutBytes (${cap}). The run is done, and its output is kept.`;
  return {
    protocolVersion: 1,
    ok: false,
    error: { type: 'runtime_error', message },
    ...(envelope.runId === undefined ? {} : { runId: envelope.runId }),
  };
}

/** With its place and what to do next, since an envelope has one text only. */
export function refusalEnvelope({ code, message, hint, where }: AppError): Envelope {
  const place = where === undefined || message.includes(where) ? '' : ` (${where})`;
  return errorEnvelope(appError(code, `${message}${place}${hint === undefined ? '' : ` ${hint}`}`));
}

/** 0 also for a pause; 1 for what went wrong while running; 2 for what the caller got wrong. */
export const exitCodeFor = (envelope: Envelope): 0 | 1 | 2 => exitCodeOf(envelope);
