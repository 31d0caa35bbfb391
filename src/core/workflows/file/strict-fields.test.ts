import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seed } from '../../../../test/fakes/test-run.ts';
import { issueText } from '../../../contract/issue-text.ts';
import { englishText } from '../../../language/host-message.ts';
import { strict } from './strict-fields.ts';

/** Random whole numbers from 0 to below `below`, the same for the same seed. */
function dice(from: number): (below: number) => number {
  let state = from;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const inner = { max: () => z.int().min(1), kind: () => z.enum(['a', 'b']) };
const innerWhole = z.strictObject({ max: inner.max(), kind: inner.kind().optional() });
const plain = strict({ max: inner.max }, { kind: inner.kind });
const needed = { id: () => z.string().min(1) };
const rest = {
  list: () => z.array(z.string()).max(2),
  any: () => z.unknown(),
  text: () => z.string().transform(String),
};
const read = strict(needed, { ...rest, retry: plain })();
const whole = z.strictObject({
  id: needed.id(),
  list: rest.list().optional(),
  any: z.unknown().optional(),
  text: rest.text().optional(),
  retry: innerWhole.optional(),
});

const leaves: readonly unknown[] = [
  '',
  'a',
  'b',
  0,
  1,
  2.5,
  true,
  null,
  undefined,
  [],
  ['x'],
  ['x', 1],
  ['x', 'y', 'z'],
  {},
];
const keys = ['id', 'list', 'any', 'text', 'retry', 'max', 'kind', 'other', 'toString', '__proto__'];

function anyValue(roll: (below: number) => number, depth: number): unknown {
  if (depth === 0 || roll(3) === 0) return leaves[roll(leaves.length)];
  const count = roll(5);
  const entries = Array.from({ length: count }, () => [keys[roll(keys.length)], anyValue(roll, depth - 1)]);
  return Object.fromEntries(roll(2) === 0 ? entries : [['id', 'a'], ...entries]);
}

const issuesOf = (error: z.ZodError | undefined) =>
  error?.issues.map(({ code, path, message }) => ({
    code,
    path,
    message: code === 'unrecognized_keys' ? '' : message,
  }));

describe('Strict object schema', () => {
  it(`accepts and rejects the same values as a strict zod object (seed ${seed})`, () => {
    const roll = dice(seed);
    let accepted = 0;
    for (let round = 0; round < 5_000; round += 1) {
      const value = anyValue(roll, 3);
      const [mine, theirs] = [read.safeParse(value), whole.safeParse(value)];
      expect(mine.data, JSON.stringify(value)).toEqual(theirs.data);
      expect(issuesOf(mine.error), JSON.stringify(value)).toEqual(issuesOf(theirs.error));
      if (mine.success) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(100);
  });

  it('rejects unknown fields and suggests the closest known one', () => {
    const { error } = read.safeParse({ id: 'a', retyr: {}, __proto__x: 1 });
    expect(error?.issues.map((issue) => englishText(issueText(issue)))).toEqual([
      'Unknown field "retyr" (did you mean "retry"?) and "__proto__x".',
    ]);
  });

  it('builds the schema of a field lazily and once', () => {
    const made: string[] = [];
    const counted = (name: string) => () => {
      made.push(name);
      return z.string();
    };
    const fields = strict({ id: counted('id') }, { one: counted('one'), two: counted('two') });
    expect(made).toEqual([]);
    for (let time = 0; time < 2; time += 1) fields().parse({ id: 'a', two: 'b' });
    expect(made).toEqual(['id', 'two']);
  });

  it('reports the issue of the matching union form', () => {
    const either = z.union([z.string(), plain()]);
    expect(either.safeParse({ max: 'many' }).error?.issues).toMatchObject([
      { code: 'invalid_type', path: ['max'] },
    ]);
    expect(either.safeParse(7).error?.issues).toMatchObject([{ code: 'invalid_union', path: [] }]);
  });
});
