/** Envelopes as the command line and other programs receive them. */

import type { AppError } from '../../contract/errors.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type Envelope, envelopeExitCode, errorEnvelope } from '../../core/workflows/engine/envelope.ts';
import { fitEnvelope as fitToCap } from '../../core/workflows/engine/fit-envelope.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import {
  holdsBigint,
  type JsonValue,
  parseExact,
  readExact,
  stringifyExact,
} from '../../core/workflows/pipeline/exact-json.ts';

/** Keeps whole numbers beyond 2^53 exact. */
export const envelopeJson = (value: unknown, indent = 2): string =>
  stringifyExact(value as JsonValue, indent);

export const jsonValue = (text: string): unknown => readExact(text);

/**
 * Parses a response to a structured question. The error completes a sentence; whole numbers beyond 2^53 are
 * an error because no schema can compare them.
 */
export function responseOf(text: string): Result<Json, string> {
  const read = parseExact(text);
  if (!read.ok) return read;
  return holdsBigint(read.value)
    ? err('a whole number beyond 2^53 goes into quotes')
    : ok(read.value as Json);
}

/** Limits the envelope to a number of bytes. */
export const fitPrintedEnvelope = fitToCap;

/** Includes place and hint in the message, because an envelope has only one text. */
export function refusalEnvelope({ code, message, hint, where }: AppError): Envelope {
  const place = where === undefined || message.includes(where) ? '' : ` (${where})`;
  const text = `${message}${place}${hint === undefined ? '' : ` ${hint}`}`;
  return errorEnvelope(textError(code, text));
}

/** 0 also for a paused run; 1 for runtime errors; 2 for errors of the caller. */
export const exitCodeFor = (envelope: Envelope): 0 | 1 | 2 => envelopeExitCode(envelope);
