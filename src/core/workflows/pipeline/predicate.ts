/**
 * `path OP value` of `where`. Comparison is stricter than in JavaScript: true is not 1, null is not 0, an
 * empty text is no number. A number equals the same number or a text that spells it; `<` and `>` need two
 * numbers or two texts. `when` has another grammar (`file/condition.ts`): references, logic, strict
 * equality.
 */
import { err, ok, type Result } from '../../../contract/result.ts';
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { exactJsonText, type JsonValue } from './exact-json.ts';
import { parsePath, valueAt } from './value-path.ts';

type Operator = '=' | '==' | '!=' | '<' | '<=' | '>' | '>=';

export interface Predicate {
  readonly path: readonly string[];
  readonly operator: Operator;
  readonly value: JsonValue;
}

/** Matches trimmed text; the pattern does not backtrack. */
const shape = /^((?:"(?:[^"\\]|\\.)*"|[^"\s=!<>])+)\s*(==|!=|<=|>=|=|<|>)\s*(\S.*)$/s;
const numeric = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** `null` if the value is neither a number nor a text that spells one. */
export function asNumber(value: JsonValue | undefined): number | bigint | null {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || value.length > 400 || !numeric.test(value)) return null;
  const read = Number(value);
  if (!Number.isSafeInteger(read) && /^-?\d+$/.test(value)) return BigInt(value);
  return Number.isFinite(read) ? read : null;
}

/** Exact between doubles and bigints, too. */
export const compareNumbers = (a: number | bigint, b: number | bigint): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** By code units, so the order is the same on every computer. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const fixed: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function literal(text: string): JsonValue {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(text);
  if (quoted?.[1] !== undefined) return quoted[1].replace(/\\(.)/gs, '$1');
  const known = fixed.get(text);
  return known === undefined ? (asNumber(text) ?? text) : known;
}

export function parsePredicate(text: string): Result<Predicate, HostText> {
  const match = shape.exec(text.trim());
  const [, field, operator, value] = match ?? [];
  const path = field === undefined ? null : parsePath(field);
  if (path === null || value === undefined) {
    return err(say('pipelines.wrongCondition', { text }));
  }
  return ok({ path, operator: operator as Operator, value: literal(value) });
}

function equal(found: JsonValue | undefined, wanted: JsonValue): boolean {
  if (wanted === null) return found === undefined || found === null;
  if (typeof wanted === 'number' || typeof wanted === 'bigint') {
    const number = asNumber(found);
    return number !== null && compareNumbers(number, wanted) === 0;
  }
  return found === wanted;
}

/** `null` if the two have no order. */
function order(found: JsonValue | undefined, wanted: JsonValue): number | null {
  const [a, b] = [asNumber(found), asNumber(wanted)];
  if (a !== null && b !== null) return compareNumbers(a, b);
  return typeof found === 'string' && typeof wanted === 'string' ? compareTexts(found, wanted) : null;
}

export function matchesPredicate({ path, operator, value }: Predicate, item: JsonValue): boolean {
  const found = valueAt(item, path);
  if (operator === '=' || operator === '==') return equal(found, value);
  if (operator === '!=') return !equal(found, value);
  const ordered = order(found, value);
  if (ordered === null) return false;
  if (operator === '<') return ordered < 0;
  if (operator === '<=') return ordered <= 0;
  return operator === '>' ? ordered > 0 : ordered >= 0;
}

/**
 * Numbers first, then texts, then everything else as JSON; `null` stands for a missing value and comes last.
 */
export function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = (value: JsonValue): number => {
    if (value === null) return 2;
    return typeof value === 'number' || typeof value === 'bigint' ? 0 : 1;
  };
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if ((typeof a === 'number' || typeof a === 'bigint') && (typeof b === 'number' || typeof b === 'bigint')) {
    return compareNumbers(a, b);
  }
  return compareTexts(exactJsonText(a), exactJsonText(b));
}
