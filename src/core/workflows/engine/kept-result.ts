/** Results as the journal stores them: JSON that can be parsed from the output again is not stored twice. */
import { depthWithin } from '../../lib/json-depth.ts';
import type { Json, StepResult } from '../file/definition.ts';
import { type JsonValue, readExact, stringifyExact } from '../pipeline/exact-json.ts';
import { writtenForm } from '../pipeline/written-form.ts';
import type { KeptResult, ResultPlace, Sha256 } from './events.ts';
import { hashText } from './events.ts';

/** A result of more UTF-16 units is stored as a separate blob. */
const inlineLimit = 16_384;

/** Deeper nesting stays text: recursive readers would overflow the stack. */
const deepest = 512;

function jsonIn(stdout: string): { readonly json?: Json } {
  if (!depthWithin(stdout, deepest)) return {};
  try {
    return { json: readExact(stdout) };
  } catch {
    return {};
  }
}

/** Results that consist of their output and its parsed JSON: only the output need be stored or passed on. */
const ofText = new WeakSet<StepResult>();

/**
 * `json` is the parsed text, or absent if it is not JSON. Parsing is lazy: perhaps no step reads it, and by
 * then the text is stored.
 */
export function withParsed(stdout: string): StepResult {
  let read: ReturnType<typeof jsonIn> | null = null;
  const late = {
    stdout,
    get json() {
      read ??= jsonIn(stdout);
      return read.json;
    },
  };
  const result = stdout.length <= inlineLimit ? { stdout, ...jsonIn(stdout) } : late;
  ofText.add(result as StepResult);
  return result as StepResult;
}

/** Canonical JSON text of the output, if known without parsing; `null` otherwise. */
export const resultJson = (result: StepResult): string | null =>
  ofText.has(result) ? writtenForm(result.stdout ?? '') : null;

export function keep(
  sha256: Sha256,
  result: StepResult,
): {
  readonly place: ResultPlace;
  readonly blobs: readonly { readonly hash: string; readonly text: string }[];
} {
  const { stdout = '' } = result;
  const parsed = ofText.has(result);
  if (parsed && stdout.length > inlineLimit) {
    const hash = hashText(sha256, stdout);
    return { place: { blob: hash, text: true }, blobs: [{ hash, text: stdout }] };
  }
  const kept: KeptResult = { result: parsed ? { stdout } : result, parsed };
  const text = stringifyExact(kept as unknown as JsonValue);
  if (text.length <= inlineLimit) return { place: { kept }, blobs: [] };
  const hash = hashText(sha256, text);
  return { place: { blob: hash }, blobs: [{ hash, text }] };
}

/** `null` if the blob is missing or does not match its hash. */
export function unkeep(
  sha256: Sha256,
  place: ResultPlace,
  blob: (hash: string) => string | null,
): StepResult | null {
  const kept = 'kept' in place ? place.kept : readBlob(sha256, place, blob);
  if (!kept) return null;
  return kept.parsed ? withParsed(kept.result.stdout ?? '') : kept.result;
}

function readBlob(
  sha256: Sha256,
  place: Extract<ResultPlace, { blob: string }>,
  blob: (hash: string) => string | null,
): KeptResult | null {
  const text = blob(place.blob);
  if (text === null || hashText(sha256, text) !== place.blob) return null;
  if (place.text) return { result: { stdout: text }, parsed: true };
  return readExact(text) as unknown as KeptResult;
}
