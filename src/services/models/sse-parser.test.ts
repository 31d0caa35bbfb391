import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, type SseEvent } from './sse-parser.ts';

const seed = Number(process.env.KENNEL_SEED ?? Date.now() % 1_000_000);

/** The standard, read literally and all at once: normalise line ends, walk the lines, dispatch on blank ones. */
function reference(text: string): SseEvent[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .split('\n');
  lines.pop();
  const out: SseEvent[] = [];
  let data: string[] = [];
  let event = '';
  let id = '';
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0) out.push({ event: event || 'message', data: data.join('\n'), id });
      data = [];
      event = '';
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'event') event = value;
    if (name === 'id' && !value.includes('\0')) id = value;
  }
  return out;
}

function parse(pieces: readonly string[]): SseEvent[] {
  const parser = createSseParser();
  return pieces.flatMap((piece) => parser.push(piece) ?? []);
}

describe(`SSE parser, seed ${seed}`, () => {
  const token = fc.constantFrom(
    'data:',
    'data: ',
    'data',
    'event: x',
    'id: 7',
    'id: a\0b',
    ': note',
    'retry: 5',
    'other: y',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    '\r\r',
    '\r\n\r\n',
    '{"a":1}',
    '😀',
    ' ',
    ':',
    '\uFEFF',
    '[DONE]',
  );
  it('F14 agrees with a literal reading of the standard, however the stream is cut', () => {
    const numRuns = Number(process.env.KENNEL_SSE_CASES ?? 20_000);
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 24 }),
        fc.array(fc.nat(60), { maxLength: 6 }),
        (tokens, cuts) => {
          const text = tokens.join('');
          const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
          const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
          // A final CR ends its line only once it is known what follows; the standard dispatches at once, so do both.
          expect(parse(pieces)).toEqual(reference(text));
        },
      ),
      { numRuns, seed },
    );
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
