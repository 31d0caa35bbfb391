/** Results as the journal keeps them: JSON that can be read from the output again is not written twice. */
import { depthWithin } from '../../lib/json-depth.ts';
import type { Json, StepResult } from '../file/definition.ts';
import { type JsonValue, readExact, stringifyExact } from '../pipeline/exact-json.ts';
import { writtenForm } from '../pipeline/written-form.ts';
import type { KeptResult, ResultPlace, Sha256 } from './events.ts';
import { hashText } from './events.ts';

/** Above this many UTF-16 units a result is a blob of its own. */
const inlineLimit = 16_384;

/** Nested deeper it stays text: whoever walks it later would run out of stack. */
const deepest = 512;

function jsonIn(stdout: string): { readonly json?: Json } {
  if (!depthWithin(stdout, deepest)) return {};
  try {
    return { json: readExact(stdout) };
  } catch {
    return {};
  }
}

/** Results that are their output and what that parses to: nothing but the output need be kept or handed on. */
const ofText = new WeakSet<StepResult>();

/**
 * `json` is what the whole text parses to; a text that is not JSON has none. A large one is read when somebody asks for it:
 * perhaps nobody does, and by then the text has been written down.
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

/** The text of its JSON where that is the output as it stands, known without parsing it; null: it must be read to be told. */
export const jsonText = (result: StepResult): string | null =>
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

/** Null: the blob is gone or is not what was written. */
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
