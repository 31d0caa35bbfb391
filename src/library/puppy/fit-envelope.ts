/** Envelopes as the command line and other programs get them. */

import type { AppError } from '../../contract/errors.ts';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Envelope } from '../../core/workflows/engine/envelope.ts';
import { errorEnvelope, exitCodeOf } from '../../core/workflows/engine/envelope.ts';
import { fitEnvelope as fitToCap } from '../../core/workflows/engine/fit-envelope.ts';
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

/** Within so many bytes. */
export const fitEnvelope = fitToCap;

/** With its place and what to do next, since an envelope has one text only. */
export function refusalEnvelope({ code, message, hint, where }: AppError): Envelope {
  const place = where === undefined || message.includes(where) ? '' : ` (${where})`;
  return errorEnvelope(appError(code, `${message}${place}${hint === undefined ? '' : ` ${hint}`}`));
}

/** 0 also for a pause; 1 for what went wrong while running; 2 for what the caller got wrong. */
export const exitCodeFor = (envelope: Envelope): 0 | 1 | 2 => exitCodeOf(envelope);
