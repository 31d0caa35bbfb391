// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are templates of a workflow file
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { processorMs, promised } from '../../../../test/fakes/patience.ts';
import { seed } from '../../../../test/fakes/test-run.ts';
import { parseCondition, printCondition } from './condition.ts';
import { isTruthyCondition, refsOf } from './condition-value.ts';
import type { Condition, Template, TemplateScope } from './definition.ts';
import { parseTemplate, printTemplate, renderTemplate } from './template.ts';
import { parseValue, printValue, renderValue } from './value-template.ts';

const scope: TemplateScope = {
  args: { tag: 'family' },
  steps: {
    a: { json: { n: 3, s: 'x y', f: false, z: null, l: [1, 2] }, stdout: 'out\n' },
    c1: {},
    c7: { skipped: true },
    constructor: { json: 1 },
  },
  loop: { item: { name: 'n', json: 5 }, index: 2 },
};
const parse = (text: string): Condition => {
  const result = parseCondition(text);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const truth = (text: string): boolean => isTruthyCondition(parse(text), scope);

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      kind: fc.constant('value' as const),
      value: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .filter((n) => !Object.is(n, -0) && (!Number.isInteger(n) || Number.isSafeInteger(n))),
        fc.bigInt({ min: 2n ** 53n }),
        fc.bigInt({ max: -(2n ** 53n) }),
        fc.boolean(),
        fc.constant(null),
      ),
    }),
    fc.record({
      kind: fc.constant('ref' as const),
      ref: fc.record({
        step: fc.stringMatching(/^[A-Za-z0-9_-]{1,6}$/),
        path: fc.array(fc.stringMatching(/^[A-Za-z0-9_]{1,4}$/), { maxLength: 3 }),
      }),
    }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('condition') }),
    fc.record({
      kind: fc.constantFrom('or' as const, 'and' as const),
      left: tie('condition'),
      right: tie('condition'),
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      operator: fc.constantFrom(
        '==' as const,
        '!=' as const,
        '<' as const,
        '<=' as const,
        '>' as const,
        '>=' as const,
      ),
      left: tie('condition'),
      right: tie('condition'),
    }),
  ),
}));

describe('Conditions', () => {
  test(`parse back to the same value after printing (seed ${seed})`, () => {
    fc.assert(
      fc.property(condition, (one) => {
        expect(parse(printCondition(one))).toEqual(one);
      }),
      { numRuns: 300 },
    );
  });

  test(`never throw for any text (seed ${seed})`, () => {
    const text = fc.string({ unit: fc.constantFrom(...'$a.json1"\'\\()!&|=<> -'), maxLength: 20 });
    fc.assert(
      fc.property(text, (one) => {
        const result = parseCondition(one);
        if (result.ok) isTruthyCondition(result.value, scope);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['$a.json.n == 3', true],
    ['$a.json.n > 2 && $a.json.n <= 3', true],
    ['$a.json.s == "x y"', true],
    ['!$a.json.f', true],
    ['$a.json.z == null', true],
    ["$a.json.f || $a.json.n == 1 || ($a.json.n == 3 && !($a.json.s != 'x y'))", true],
    ['$a.json.n == "3"', false],
    ['$a.json.missing', false],
    ['$c7.skipped == true && $c1.skipped != true', true],
    ['$a.json.l.1 >= 2', true],
    ['false', false],
    ['$a.json.f < 1', false],
    ['"4" > $a.json.n', true],
    ['$a.json.l == $a.json.l', true],
    ['$a.json.z < 1', false],
    ['$a.json.constructor', false],
    ['$toString.json', false],
    ['$constructor.json == 1', true],
    ['$item.name == n && $item.json == 5 && $index == 2', true],
    ['true || false && false', true],
  ])('%s is %s', (text, expected) => {
    expect(truth(text)).toBe(expected);
  });

  test.each([
    ['', 'column 1'],
    ['1 < 2 < 3', 'column 7'],
    ['$a.json =', 'column 9'],
    ['word == 1', 'column 1'],
    ['(1', 'column 3'],
    ['1 2', 'column 3'],
    ['"open', 'column 1'],
    [`${'('.repeat(100)}1`, 'column 42'],
  ])('%s is refused with its column', (text, where) => {
    expect(parseCondition(text)).toMatchObject({ ok: false, error: { where } });
  });

  test('do not parse a text of 20 million digits as a number (T25)', () => {
    const left = (stdout: string): boolean =>
      isTruthyCondition(parse('$a.stdout > 5'), { args: {}, steps: { a: { stdout } }, loop: {} });
    expect(left('9'.repeat(400))).toBe(true);
    const before = processorMs();
    expect(left('9'.repeat(20_000_000))).toBe(false);
    expect(processorMs() - before).toBeLessThan(promised(1_000));
  });

  test('list every step reference', () => {
    expect(refsOf(parse('$a.json == $b.stdout || !$c.approved')).map(({ step }) => step)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});

const names = { steps: new Set(['a', 'b-c']), args: new Set(['tag', 'x-y']), loops: new Set(['item']) };

describe('Templates', () => {
  test(`parse back to the same value after printing (seed ${seed})`, () => {
    const piece = fc.constantFrom(
      '$a.json.x',
      '${tag}',
      '${raw:tag}',
      '${raw:$a.stdout}',
      '${$a.json}',
      '$item',
      '\\',
      '$',
      '{',
      '}',
      '.',
      '-',
      'x',
      '\n',
      '$b-c.json',
      '${x-y}',
      '${no}',
      '$zz.json',
      '"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const template: Template = parseTemplate(pieces.join(''), names);
        expect(parseTemplate(printTemplate(template), names)).toEqual(template);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['tag ${tag}: $a.json.n, $a.json.l.1', 'tag family: 3, 2'],
    ['$a.json.l', '[1,2]'],
    ['$a.json.none|$a.approved', '|false'],
    ['${$a.json.n}px', '3px'],
    [
      'costs $5.00, \\$a.json, \\${tag}, ${other} and $HOME',
      'costs $5.00, $a.json, ${tag}, ${other} and $HOME',
    ],
    ['See $a.stdout.', 'See out\n.'],
    ['$item.name $item', 'n {"name":"n","json":5}'],
  ])('render %j', (text, expected) => {
    expect(renderTemplate(parseTemplate(text, names), scope)).toBe(expected);
  });

  test('keep the type of a value if the text is a single reference', () => {
    const value = parseValue({ l: '$a.json.l', t: 'x ${tag}', g: '${tag}', n: 1, d: '\\$a.json' }, names);
    expect(renderValue(value, scope)).toEqual({ l: [1, 2], t: 'x family', g: 'family', n: 1, d: '$a.json' });
    expect(parseValue(printValue(value), names)).toEqual(value);
  });
});
