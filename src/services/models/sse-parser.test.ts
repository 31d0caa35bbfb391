import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proof, seed } from '../../../test/fakes/test-run.ts';
import { createSseParser, type SseEvent } from './sse-parser.ts';

const numRuns = proof ? 1_000_000 : 10_000;

/**
 * The standard implemented literally: decode, normalise line ends, read the lines, dispatch on blank ones.
 */
function reference(bytes: Uint8Array): readonly SseEvent[] {
  const lines = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  lines.pop();
  const events: SseEvent[] = [];
  let data: string[] = [];
  let event = '';
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n') });
      data = [];
      event = '';
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'event') event = value;
  }
  return events;
}

function parse(pieces: readonly Uint8Array[]): readonly SseEvent[] {
  const parser = createSseParser();
  return pieces.flatMap((piece) => parser.push(piece) ?? []);
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

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
      { weight: 12, arbitrary: token.map(encode) },
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
  it('F14 agrees with a literal reading of the standard, wherever the stream is cut', {
    timeout: 1_800_000,
  }, () => {
    fc.assert(
      fc.property(stream, places, (bytes, cuts) => {
        expect(parse(cut(bytes, cuts))).toEqual(reference(bytes));
      }),
      { numRuns },
    );
  });
  it('F14 does not emit an event without its closing blank line', () => {
    expect(parse([encode('data: half\n')])).toEqual([]);
  });
  it('F14 sums the lines of one event for the cap, also within one chunk', () => {
    const lines = `data: ${'x'.repeat(50)}\n`.repeat(3);
    expect(createSseParser(100).push(encode(`${lines}\n`))).toBeNull();
    expect(createSseParser(100).push(encode(lines))).toBeNull();
  });
  it('F14 applies the cap to one event within one chunk', () => {
    expect(createSseParser(100).push(encode(`data: ${'x'.repeat(100)}\n\n`))).toHaveLength(1);
    expect(createSseParser(100).push(encode(`data: ${'x'.repeat(101)}\n\n`))).toBeNull();
  });
  it('F14 stops at a line or an event above the cap, and stays stopped', () => {
    const parser = createSseParser(100);
    expect(parser.push(encode(`data: ${'x'.repeat(50)}\n`))).toEqual([]);
    expect(parser.push(encode(`data: ${'x'.repeat(60)}\n`))).toBeNull();
    expect(parser.push(encode('\n\ndata: ok\n\n'))).toBeNull();
  });
  it.each(['x', 'data: x', ': note', '\r\nx'])('F14 refuses an endless line: %j', (start) => {
    const parser = createSseParser(100);
    expect(parser.push(encode(start))).toEqual([]);
    for (let n = 0; n < 9; n += 1) expect(parser.push(encode('x'.repeat(10)))).toEqual([]);
    expect(parser.push(encode('x'.repeat(20)))).toBeNull();
  });
  it('F14 refuses a line of 10 MB in time linear to its length', () => {
    const parser = createSseParser();
    let refused = false;
    for (let n = 0; n < 10_000 && !refused; n += 1) refused = parser.push(encode('x'.repeat(1_000))) === null;
    expect(refused).toBe(true);
  });
});
