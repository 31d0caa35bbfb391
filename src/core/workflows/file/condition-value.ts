/**
 * Evaluates conditions. Equality is strict (`3 == "3"` is false) and deep; only numbers and numeric texts are
 * ordered. Evaluation never fails: a missing value is false.
 */
import { assertNever } from '../../lib/assert.ts';
import type { CompareOperator, Condition, Json, Ref, TemplateScope } from './definition.ts';
import { resolveRef } from './refs.ts';

type Value = Json | undefined;

function equal(left: Value, right: Value): boolean {
  if (typeof left === 'bigint' || typeof right === 'bigint') return sameNumber(left, right);
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null)
    return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) =>
        Object.hasOwn(right, name) &&
        equal((left as Record<string, Json>)[name], (right as Record<string, Json>)[name]),
    )
  );
}

/** At least one side is a bigint; a double that is the same whole number equals it. */
const sameNumber = (left: Value, right: Value): boolean =>
  left === right ||
  (typeof left === 'bigint' &&
    typeof right === 'number' &&
    Number.isInteger(right) &&
    BigInt(right) === left) ||
  (typeof right === 'bigint' && typeof left === 'number' && Number.isInteger(left) && BigInt(left) === right);

/**
 * Longest text, in code units, that counts as a number: converting longer digits would take minutes (T25).
 */
const longestNumber = 400;
/** May have more digits than a double can hold. */
const longWhole = /^\s*-?\d{16,}\s*$/;
const numeric = /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/;

function asNumber(value: Value): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || value.length > longestNumber) return Number.NaN;
  if (longWhole.test(value)) return BigInt(value.trim());
  return numeric.test(value) ? Number(value) : Number.NaN;
}

function compare(operator: CompareOperator, left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return equal(left, right);
    case '!=':
      return !equal(left, right);
    case '<':
      return asNumber(left) < asNumber(right);
    case '<=':
      return asNumber(left) <= asNumber(right);
    case '>':
      return asNumber(left) > asNumber(right);
    case '>=':
      return asNumber(left) >= asNumber(right);
    default:
      return assertNever(operator);
  }
}

function sideOf(condition: Condition, scope: TemplateScope): Value {
  switch (condition.kind) {
    case 'or':
      return isTruthyCondition(condition.left, scope) || isTruthyCondition(condition.right, scope);
    case 'and':
      return isTruthyCondition(condition.left, scope) && isTruthyCondition(condition.right, scope);
    case 'not':
      return !isTruthyCondition(condition.operand, scope);
    case 'compare':
      return compare(condition.operator, sideOf(condition.left, scope), sideOf(condition.right, scope));
    case 'ref':
      return resolveRef(condition.ref, scope);
    case 'value':
      return condition.value;
    default:
      return assertNever(condition);
  }
}

/** Empty texts, zero, `null` and missing values count as false. */
export function isTruthyCondition(condition: Condition, scope: TemplateScope): boolean {
  return Boolean(sideOf(condition, scope));
}

export function refsOf(condition: Condition): readonly Ref[] {
  switch (condition.kind) {
    case 'or':
    case 'and':
    case 'compare':
      return [...refsOf(condition.left), ...refsOf(condition.right)];
    case 'not':
      return refsOf(condition.operand);
    case 'ref':
      return [condition.ref];
    case 'value':
      return [];
    default:
      return assertNever(condition);
  }
}
