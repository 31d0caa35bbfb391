import { expect, it } from 'vitest';
import { sha256 } from '../../../../test/fakes/memory-journal.ts';
import { type JsonValue, stringifyExact } from '../pipeline/exact-json.ts';
import { hashText } from './events.ts';
import { keep, resultJson, unkeep, withParsed } from './kept-result.ts';

const large = `[${'"0123456789",'.repeat(2_000)}9007199254740993]`;

it('A large output is stored once as text and its JSON is parsed from it', () => {
  const result = withParsed(large);
  const { place, blobs } = keep(sha256, result);
  expect(blobs).toEqual([{ hash: hashText(sha256, large), text: large }]);
  expect(place).toEqual({ blob: hashText(sha256, large), text: true });
  expect(unkeep(sha256, place, () => large)).toEqual(result);
  expect((result.json as readonly unknown[]).at(-1)).toBe(9007199254740993n);
});

it('JSON of a large output is parsed on access and undefined if invalid', () => {
  const { place, blobs } = keep(sha256, withParsed(large.slice(1)));
  const read = unkeep(sha256, place, () => blobs[0]?.text ?? null);
  expect(read).toEqual({ stdout: large.slice(1) });
  expect(read?.json).toBeUndefined();
  expect(stringifyExact(withParsed(large).json as JsonValue)).toBe(large);
  expect(withParsed('['.repeat(40_000)).json).toBeUndefined();
});

it('A large result with fields besides its output is stored as JSON', () => {
  const result = { ...withParsed(large), approved: true };
  const { place, blobs } = keep(sha256, result);
  expect(place).not.toHaveProperty('text');
  expect(unkeep(sha256, place, () => blobs[0]?.text ?? null)).toMatchObject(result);
});

it('A changed or missing blob is rejected, and a small output is stored inline', () => {
  const { place } = keep(sha256, withParsed(large));
  expect(unkeep(sha256, place, () => large.replace('1', '2'))).toBeNull();
  expect(unkeep(sha256, place, () => null)).toBeNull();
  expect(keep(sha256, withParsed('1\n'))).toEqual({
    place: { kept: { result: { stdout: '1\n' }, parsed: true } },
    blobs: [],
  });
});

it('The run result reuses the stored output of the last step', () => {
  const ofStep = keep(sha256, withParsed(large));
  const read = unkeep(sha256, ofStep.place, () => large);
  expect(read && keep(sha256, read)).toEqual(ofStep);
});

it('JSON text is returned without parsing only if it is canonical and unmodified', () => {
  const written = large.replace('9007199254740993', '1');
  expect(resultJson(withParsed(`${written}\n`))).toBe(written);
  expect(resultJson(withParsed(` ${written.replace(',', ', ')}`))).toBeNull();
  expect(resultJson({ stdout: written, json: 1 })).toBeNull();
});
