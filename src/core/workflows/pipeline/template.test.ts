import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../../test/fakes/test-run.ts';
import { englishText } from '../../../language/host-message.ts';
import type { JsonValue } from './exact-json.ts';
import { parseItemTemplate, renderItem } from './template.ts';

function render(text: string, item: JsonValue): string {
  const template = parseItemTemplate(text);
  if (!template.ok) throw new Error(englishText(template.error));
  return renderItem(template.value, item);
}

describe('Item templates', () => {
  it.each<[string, JsonValue, string]>([
    ['{{a.b.0}}', { a: { b: [1] } }, '1'],
    ['{{ . }}', 'x', 'x'],
    ['{{this}}', { a: 1 }, '{"a":1}'],
    ['[{{missing.deep}}]', { a: 1 }, '[]'],
    ['{{"a b".c}}', { 'a b': { c: 1 } }, '1'],
    ['{{toString}}', {}, ''],
    ['{ {a} } }}', {}, '{ {a} } }}'],
    ['{{a | upper}}{{a | lower}}', { a: 'xY' }, 'XYxy'],
    ['{{a | trim | truncate 2}}', { a: '  🦊🦊🦊 ' }, '🦊🦊...'],
    ['{{a|truncate}}', { a: 'x'.repeat(81) }, `${'x'.repeat(80)}...`],
    ['{{a | replace "|" "}}"}}', { a: 'x|y|' }, 'x}}y}}'],
    ['{{a | replace "\\"}}" x}}', { a: 'q"}}' }, 'qx'],
    ['{{a | replace x "$&"}}', { a: 'x' }, '$&'],
    ['{{a | split - | last}}', { a: '1-2-3' }, '3'],
    ['{{a | split | first}}', { a: '1,2' }, '1'],
    ['{{a | join "; "}}{{a | length}}', { a: [1, { b: 2 }] }, '1; {"b":2}2'],
    ['{{a | join}}', { a: ['x', 'y'] }, 'x, y'],
    ['{{a | json}}', { a: { b: 1 } }, '{\n  "b": 1\n}'],
    ['{{a | string}}', { a: 9007199254740993n }, '9007199254740993'],
    ["{{a | default 'no one'}}{{b | default x}}{{c | default x}}", { b: '', c: 0 }, 'no onex0'],
    ['{{a | round 2}} {{a | round}} {{b | round 1}}', { a: 1.005, b: 'x' }, '1.01 1 x'],
    ['{{a | round 1}}', { a: '-2.25' }, '-2.3'],
    ['{{a | date}}', { a: 0 }, '1970-01-01T00:00:00.000Z'],
    ['{{a | date "DD.MM.YYYY HH:mm:ss"}}', { a: '2026-03-04T05:06:07+01:00' }, '04.03.2026 04:06:07'],
    ['{{a | date "YYYY-MM-DD HH"}}', { a: '2026-03-04 05:06' }, '2026-03-04 05'],
    ['{{a | date YYYY}}', { a: 'never' }, 'never'],
    ['{{a}}', { a: '{{b}}', b: 'no' }, '{{b}}'],
  ])('renders %j', (text, item, made) => {
    expect(render(text, item)).toBe(made);
  });

  it.each([
    ['{{a | uper}}', 'Did you mean upper'],
    ['{{a | replace}}', 'takes 1 to 2 words'],
    ['{{a | truncate x}}', 'non-negative'],
    ['{{a | upper x}}', 'takes 0 words'],
    ['{{a', 'not closed'],
    ['{{}}', 'cannot be read'],
    ['{{a b}}', 'cannot be read'],
    ['{{a..b}}', 'cannot be read'],
    ['{{a |}}', 'Unknown template filter'],
    ['{{a | replace "x}}', 'not closed'],
  ])('refuses %s', (text, why) => {
    expect(parseItemTemplate(text)).toMatchObject({
      ok: false,
      error: { text: expect.stringContaining(why) },
    });
  });

  it(`never throws for any text (seed ${seed})`, () => {
    const part = fc.constantFrom('{{', '}}', '|', '"', "'", '\\', '.', ' ', 'a', 'upper', 'replace', '\n');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const template = parseItemTemplate(parts.join(''));
        if (template.ok) expect(typeof renderItem(template.value, { a: 'x' })).toBe('string');
      }),
      { numRuns: 2_000 },
    );
  });
});
