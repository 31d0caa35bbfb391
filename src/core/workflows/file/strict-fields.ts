/**
 * Strict objects of a workflow file: an unknown field is an error with a suggestion, because a typing error
 * must never remove a gate. `requiredApprover` reads as `required_approver`. Only present fields are checked,
 * and the schema of a field is created on first use, because creating all of them takes longer than running a
 * file.
 */
import { z } from 'zod';
import { didYouMean } from '../../../contract/did-you-mean.ts';
import type { UnknownKeys } from '../../../contract/issue-text.ts';
import { once } from '../../../contract/once.ts';

/** Schema that is created on first use. */
export type Later<Schema extends z.ZodType = z.ZodType> = () => Schema;
type Shape = Readonly<Record<string, Later>>;
type Value<Field> = Field extends Later<infer Schema> ? z.output<Schema> : never;
export type Optional<Fields extends Shape> = { [Name in keyof Fields]?: Value<Fields[Name]> | undefined };
type Read<Needed extends Shape, Rest extends Shape> = {
  [Name in keyof Needed]: Value<Needed[Name]>;
} & Optional<Rest>;

export const snakeOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Maps camelCase and hyphenated keys to snake_case; a key given in two spellings stays and is refused. */
function oneSpelling(known: ReadonlySet<string>, value: object): ReadonlyMap<string, unknown> {
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => {
    const snake = snakeOf(key).replaceAll('-', '_');
    const name = !known.has(key) && known.has(snake) && !Object.hasOwn(value, snake) ? snake : key;
    return [name, item] as const;
  });
  return new Map(entries);
}

/** More names do not fit into a message anyway. */
const maxNamed = 200;

const unknownIn = (keys: readonly string[], names: ReadonlySet<string>): UnknownKeys =>
  keys.slice(0, maxNamed).map((key) => ({ key, meant: didYouMean(snakeOf(key), [...names]) }));

export function strict<Needed extends Shape, Rest extends Shape>(needed: Needed, rest: Rest) {
  const schemas = new Map(
    Object.entries<Later>({ ...needed, ...rest }).map(([name, make]) => [name, once(make)]),
  );
  const names = new Set(schemas.keys());

  function read(value: unknown, { issues }: z.RefinementCtx): Read<Needed, Rest> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      issues.push({ code: 'invalid_type', expected: 'object', input: value });
      return z.NEVER;
    }
    const fields = oneSpelling(names, value);
    const found: Record<string, unknown> = {};
    for (const [name, schema] of schemas) {
      const input = fields.get(name);
      if (input === undefined && !Object.hasOwn(needed, name)) continue;
      const field = schema().safeParse(input);
      if (field.success) found[name] = field.data;
      // For a union, the issue inside is reported rather than that no form matches.
      for (const issue of field.error?.issues ?? []) {
        const inside = { ...issue, path: [name, ...issue.path], input, continue: true };
        issues.push(inside as z.core.$ZodRawIssue);
      }
    }
    const keys = [...fields.keys()].filter((key) => !names.has(key));
    if (keys.length > 0) {
      const [unknown, input] = [unknownIn(keys, names), Object.fromEntries(fields)];
      issues.push({ code: 'unrecognized_keys', keys, unknown, input, continue: true });
    }
    return found as Read<Needed, Rest>;
  }

  return once(() => z.transform(read));
}
