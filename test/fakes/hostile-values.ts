/** Hostile values of every kind that a page could send, sometimes with the right field names. */
import { z } from 'zod';
import { createSeededRandom } from './seeded-random.ts';

/** All field names of this input at any depth, so that hostile values pass the first check. */
export function fieldNames(schema: z.ZodType): string[] {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as { properties?: Record<string, unknown> };
    for (const name of Object.keys(properties ?? {})) found.add(name);
    for (const child of Object.values(node)) walk(child);
  };
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return [...found];
}

const strangeNames = ['__proto__', 'constructor', 'toString', 'length', 'then', 'toJSON', '', '0'];

const texts = [
  '',
  ' ',
  'x',
  'guide',
  '../../etc/passwd',
  '\u0000',
  '\ud800',
  '\u202e',
  'x'.repeat(5_000),
  '__proto__',
  '1e999',
  'file:///etc/passwd',
];
const numbers = [0, -0, 1, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY];

function cycle(): unknown {
  const self: Record<string, unknown> = {};
  self.self = self;
  return self;
}

function nest(depth: number): unknown {
  let value: unknown = 'x';
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { value };
  return value;
}

/** Values that the structured clone of the real bridge carries but a JSON line cannot. */
const rare: readonly (() => unknown)[] = [
  cycle,
  () => nest(3_000),
  () => 10n,
  () => new Date(Number.NaN),
  () => new Map([['agent', 'guide']]),
  () => new Set([1]),
  () => /x/g,
  () => new Uint8Array(64),
  () => new ArrayBuffer(8),
  () => new Array(1_000),
  () => Object.create(null) as unknown,
  () => new Error('x'),
];

/** Builds an object with arbitrary field names as data: `__proto__` becomes an own key. */
const dictionary = (entries: readonly (readonly [string, unknown])[]): unknown => {
  const made: Record<string, unknown> = {};
  for (const [key, value] of entries)
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
  return made;
};

/** Generates the same values for the same seed. */
export function hostileValues(seed: number, names: readonly string[]): () => unknown {
  const { fraction } = createSeededRandom(seed);
  const below = (limit: number): number => Math.floor(fraction() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const key = (): string => (names.length > 0 && below(4) > 0 ? pick(names) : pick(strangeNames));

  function value(depth: number): unknown {
    const kind = below(depth > 3 ? 5 : 10);
    if (kind === 0) return pick([null, undefined, true, false]);
    if (kind === 1) return pick(numbers);
    if (kind <= 3) return pick(texts);
    if (kind === 4) return below(8) === 0 ? pick(rare)() : pick(texts);
    if (kind === 5) return Array.from({ length: below(4) }, () => value(depth + 1));
    return dictionary(Array.from({ length: below(5) }, () => [key(), value(depth + 1)] as const));
  }
  return () => value(0);
}
