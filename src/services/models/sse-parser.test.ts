import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proof, seed } from '../../../test/fakes/test-run.ts';
import { createSseParser, type SseEvent } from './sse-parser.ts';

const numRuns = proof ? 1_000_000 : 10_000;

interface Reading {
  readonly events: SseEvent[];
  readonly retryMs: number | null;
}

/**
 * The standard implemented literally: decode, normalise line ends, read the lines, dispatch on blank ones.
 */
function reference(bytes: Uint8Array): Reading {
  const lines = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  lines.pop();
  const events: SseEvent[] = [];
  let data: string[] = [];
  let event = '';
  let id = '';
  let retryMs: number | null = null;
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n'), id });
      data = [];
      event = '';
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'event') event = value;
    if (name === 'id' && !value.includes('\0')) id = value;
    if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
  }
  return { events, retryMs };
}

function parse<T extends string | Uint8Array>(pieces: readonly T[]): Reading {
  const parser = createSseParser();
  const events = pieces.flatMap((piece) => parser.push(piece) ?? []);
  return { events, retryMs: parser.retryMs() };
}

const token = fc.constantFrom(
  'data:',
  'data: ',
  'data',
  'data : x',
  'event: x',
  'event',
  'id: 7',
  'id',
  'id: a\0b',
  ': note',
  'retry: 5',
  'retry: 5x',
  'retry:',
  'retry:\u0665',
  'other: y',
  '{"a":1}',
  '[DONE]',
  ' ',
  ':',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\r\r',
  '\r\n\r\n',
  '\n\r',
  '\u2028',
  '\u0085',
  '\v',
  '\uFEFF',
  '😀',
  'ü',
  '€',
  '\0',
);
/** Includes bytes that are not UTF-8. */
const stream = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: token.map((text) => new TextEncoder().encode(text)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }) },
    ),
    { maxLength: 24 },
  )
  .map((parts) => Buffer.concat(parts));
const places = fc.array(fc.nat(90), { maxLength: 6 });

function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [0, ...cuts.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

describe(`SSE parser, seed ${seed}, ${numRuns} cases`, () => {
  it('F14 agrees with a literal reading of the standard, at whatever bytes the stream is cut', {
    timeout: 1_800_000,
  }, () => {
    fc.assert(
      fc.property(stream, places, (bytes, cuts) => {
        expect(parse(cut(bytes, cuts))).toEqual(reference(bytes));
      }),
      { numRuns },
    );
  });
  it('F14 takes text that was decoded already, cut anywhere', () => {
    const text = '\uFEFFid: 1\r\ndata: Grüße 😀\r\rretry: 20\n\ndata: a\ndata: b\n\n';
    for (let at = 0; at <= text.length; at += 1) {
      expect(parse([text.slice(0, at), text.slice(at)])).toEqual(reference(new TextEncoder().encode(text)));
    }
  });
  it('F14 an event without its blank line is not told', () => {
    expect(parse(['data: half\n']).events).toEqual([]);
  });
  it('F14 many lines of one event count together, also within one piece', () => {
    const lines = `data: ${'x'.repeat(50)}\n`.repeat(3);
    expect(createSseParser({ maxEventLength: 100 }).push(`${lines}\n`)).toBeNull();
  });
  it('F14 stops at a line or an event beyond the cap, and stays stopped', () => {
    const parser = createSseParser({ maxEventLength: 100 });
    expect(parser.push(`data: ${'x'.repeat(50)}\n`)).toEqual([]);
    expect(parser.push(`data: ${'x'.repeat(60)}\n`)).toBeNull();
    expect(parser.push('\n\ndata: ok\n\n')).toBeNull();
    const long = createSseParser({ maxEventLength: 100 });
    for (let n = 0; n < 11; n += 1)
      expect(n < 10 ? long.push('x'.repeat(10)) : long.push('x')).toEqual(n < 10 ? [] : null);
  });
  it('F14 a line of 10 MB is refused in time that grows with its length only', () => {
    const parser = createSseParser();
    let refused = false;
    for (let n = 0; n < 10_000 && !refused; n += 1) refused = parser.push('x'.repeat(1_000)) === null;
    expect(refused).toBe(true);
  });
});
