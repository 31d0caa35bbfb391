/** Limits of JSON Schema on single texts, numbers and lists. */
import { writeStable } from '../lib/stable-json.ts';
import { codePointLength } from '../lib/text.ts';
import type { Walk } from './json-schema-walk.ts';
import { copyWithin } from './json-schema-work.ts';

type Fields = Readonly<Record<string, unknown>>;
type Check = readonly [keyword: string, broken: (limit: number) => boolean, says: (limit: number) => string];

const limits = (schema: Fields, checks: readonly Check[], path: string, walk: Walk): void => {
  for (const [keyword, broken, says] of checks) {
    const limit = schema[keyword];
    if (typeof limit === 'number' && broken(limit)) {
      walk.issues.push({ path: path === '' ? '(arguments)' : path, message: says(limit) });
    }
  }
};

export function checkText(schema: Fields, value: string, path: string, walk: Walk): void {
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    // The draft counts code points.
    const length = codePointLength(value);
    const checks: readonly Check[] = [
      ['minLength', (limit) => length < limit, (limit) => `must have at least ${limit} characters`],
      ['maxLength', (limit) => length > limit, (limit) => `must have at most ${limit} characters`],
    ];
    limits(schema, checks, path, walk);
  }
  if (typeof schema.pattern === 'string' && !walk.patterns.fits(schema.pattern, value, path)) {
    walk.issues.push({ path, message: `must match ${schema.pattern}` });
  }
}

/** Tolerates binary fractions: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

export function checkNumber(schema: Fields, value: number, path: string, walk: Walk): void {
  if (!numberKeywords.some((keyword) => schema[keyword] !== undefined)) return;
  const checks: readonly Check[] = [
    ['minimum', (limit) => value < limit, (limit) => `must be at least ${limit}`],
    ['maximum', (limit) => value > limit, (limit) => `must be at most ${limit}`],
    ['exclusiveMinimum', (limit) => value <= limit, (limit) => `must be more than ${limit}`],
    ['exclusiveMaximum', (limit) => value >= limit, (limit) => `must be less than ${limit}`],
    ['multipleOf', (limit) => !isMultiple(value, limit), (limit) => `must be a multiple of ${limit}`],
  ];
  limits(schema, checks, path, walk);
}

export function checkList(schema: Fields, value: readonly unknown[], path: string, walk: Walk): void {
  const checks: readonly Check[] = [
    ['minItems', (limit) => value.length < limit, (limit) => `must have at least ${limit} items`],
    ['maxItems', (limit) => value.length > limit, (limit) => `must have at most ${limit} items`],
  ];
  limits(schema, checks, path, walk);
  if (schema.uniqueItems !== true) return;
  const different = new Set(value.map((item) => writeStable(copyWithin(item, walk.work))));
  const twice = different.size < value.length;
  if (twice)
    walk.issues.push({ path: path === '' ? '(arguments)' : path, message: 'must not repeat an item' });
}

export function checkCount(schema: Fields, count: number, path: string, walk: Walk): void {
  const checks: readonly Check[] = [
    ['minProperties', (limit) => count < limit, (limit) => `must have at least ${limit} members`],
    ['maxProperties', (limit) => count > limit, (limit) => `must have at most ${limit} members`],
  ];
  if (schema.minProperties !== undefined || schema.maxProperties !== undefined)
    limits(schema, checks, path, walk);
}
