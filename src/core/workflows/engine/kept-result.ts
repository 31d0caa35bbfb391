/** Results as the journal keeps them: JSON that can be read from the output again is not written twice. */
import { depthWithin } from '../../lib/json-depth.ts';
import type { StepResult } from '../file/definition.ts';
import { type JsonValue, readExact, stringifyExact } from '../pipeline/exact-json.ts';
import type { KeptResult, ResultPlace, Sha256 } from './events.ts';
import { hashText } from './events.ts';

/** Above this many UTF-16 units a result is a blob of its own. */
const inlineLimit = 16_384;

/** Nested deeper it stays text: whoever walks it later would run out of stack. */
const deepest = 512;

/** `json` is what the whole text parses to; a text that is not JSON has none. */
export function withParsed(stdout: string): StepResult {
  if (!depthWithin(stdout, deepest)) return { stdout };
  try {
    return { stdout, json: readExact(stdout) };
  } catch {
    return { stdout };
  }
}

export function keep(
  sha256: Sha256,
  result: StepResult,
  parsed: boolean,
): {
  readonly place: ResultPlace;
  readonly blobs: readonly { readonly hash: string; readonly text: string }[];
} {
  const { json: _, ...rest } = result;
  if (
    parsed &&
    rest.stdout !== undefined &&
    rest.stdout.length > inlineLimit &&
    Object.keys(rest).length === 1
  ) {
    const hash = hashText(sha256, rest.stdout);
    return { place: { blob: hash, text: true }, blobs: [{ hash, text: rest.stdout }] };
  }
  const kept: KeptResult = { result: parsed ? rest : result, parsed };
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
  return kept.parsed ? { ...kept.result, ...withParsed(kept.result.stdout ?? '') } : kept.result;
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
