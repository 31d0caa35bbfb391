/**
 * Grammar of `when`: `$a.json.n > 2 && !($b.approved == false)`. Errors name the column; printing and parsing
 * again gives the same condition. Comparisons do not chain, and a bare word may stand on the right side only.
 */
import { type AppError, appError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { englishText, type HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { assertNever } from '../../lib/assert.ts';
import { stringifyExact } from '../pipeline/exact-json.ts';
import type { CompareOperator, Condition } from './definition.ts';
import { parseRef, printRef } from './refs.ts';

const maxLength = 4000;
const maxDepth = 40;

type Token =
  | { readonly kind: 'operator'; readonly text: string; readonly at: number }
  | { readonly kind: 'value'; readonly value: Condition; readonly bare: boolean; readonly at: number }
  | { readonly kind: 'end'; readonly at: number };

class Wrong extends Error {
  readonly at: number;
  readonly said: HostMessage;
  constructor(at: number, said: HostMessage) {
    super(englishText(said));
    this.at = at;
    this.said = said;
  }
}

const lexeme =
  /\s+|(\|\||&&|==|!=|<=|>=|<|>|!|\(|\))|("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|(\$[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.-]))|([A-Za-z0-9_.:/@+-]+)/y;

function unquote(text: string, at: number): string {
  if (text.startsWith("'")) return text.slice(1, -1).replace(/\\(['\\])/g, '$1');
  try {
    return String(JSON.parse(text));
  } catch {
    throw new Wrong(at, say('workflowFiles.conditionText'));
  }
}

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Whole numbers beyond the safe range of a double become bigints, in any notation, so no digit is lost. */
function numberIn(text: string): number | bigint {
  const near = Number(text);
  if (!Number.isInteger(near) || Number.isSafeInteger(near)) return near;
  return BigInt(/^-?\d+$/.test(text) ? text : near);
}

function tokenOf(match: RegExpExecArray, at: number): Token | null {
  const [, operator, quoted, reference, number, word] = match;
  const value = (inner: Condition, bare = false): Token => ({ kind: 'value', value: inner, bare, at });
  if (operator !== undefined) return { kind: 'operator', text: operator, at };
  if (quoted !== undefined) return value({ kind: 'value', value: unquote(quoted, at) });
  if (number !== undefined) return value({ kind: 'value', value: numberIn(number) });
  if (reference !== undefined) {
    const ref = parseRef(reference);
    if (!ref) throw new Wrong(at, say('workflowFiles.conditionReference', { ref: reference }));
    return value({ kind: 'ref', ref });
  }
  if (word === undefined) return null;
  const constant = constants.get(word);
  return constant === undefined
    ? value({ kind: 'value', value: word }, true)
    : value({ kind: 'value', value: constant });
}

function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    lexeme.lastIndex = at;
    const match = lexeme.exec(text);
    if (!match) throw new Wrong(at, say('workflowFiles.conditionUnknown', { text: text.slice(at, at + 10) }));
    const token = tokenOf(match, at);
    if (token) tokens.push(token);
    at = lexeme.lastIndex;
  }
  return [...tokens, { kind: 'end', at }];
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', at: 0 };
  }

  #take(operator: string): boolean {
    const token = this.#peek();
    if (token.kind !== 'operator' || token.text !== operator) return false;
    this.#next += 1;
    return true;
  }

  #deeper(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new Wrong(this.#peek().at, say('workflowFiles.conditionTooDeep'));
  }

  whole(): Condition {
    const condition = this.#chain('or', '||', () => this.#chain('and', '&&', () => this.#comparison()));
    return condition;
  }

  end(): void {
    const token = this.#peek();
    if (token.kind !== 'end') throw new Wrong(token.at, say('workflowFiles.conditionEnds'));
  }

  #chain(kind: 'or' | 'and', operator: string, part: () => Condition): Condition {
    let left = part();
    let length = 0;
    while (this.#take(operator)) {
      length += 1;
      if (length > maxDepth) throw new Wrong(this.#peek().at, say('workflowFiles.conditionManyParts'));
      left = { kind, left, right: part() };
    }
    return left;
  }

  #comparison(): Condition {
    const left = this.#unary(false);
    const token = this.#peek();
    if (token.kind !== 'operator' || !comparisons.has(token.text)) return left;
    this.#next += 1;
    const right = this.#unary(true);
    const after = this.#peek();
    if (after.kind === 'operator' && comparisons.has(after.text))
      throw new Wrong(after.at, say('workflowFiles.conditionChain'));
    return { kind: 'compare', operator: token.text as CompareOperator, left, right };
  }

  #unary(right: boolean): Condition {
    if (!this.#take('!')) return this.#primary(right);
    this.#deeper();
    const operand = this.#unary(right);
    this.#depth -= 1;
    return { kind: 'not', operand };
  }

  #primary(right: boolean): Condition {
    const token = this.#peek();
    if (this.#take('(')) {
      this.#deeper();
      const inner = this.whole();
      if (!this.#take(')')) throw new Wrong(this.#peek().at, say('workflowFiles.conditionBracket'));
      this.#depth -= 1;
      return inner;
    }
    if (token.kind !== 'value') throw new Wrong(token.at, say('workflowFiles.conditionValue'));
    if (token.bare && !right) throw new Wrong(token.at, say('workflowFiles.conditionBareWord'));
    this.#next += 1;
    return token.value;
  }
}

/** `invalid_input`, with `where: "column N"`. */
export function parseCondition(text: string): Result<Condition, AppError> {
  if (text.length > maxLength)
    return err(fail('too_large', 'workflowFiles.conditionTooLong', { n: maxLength }));
  try {
    const parser = new Parser(tokenise(text));
    const condition = parser.whole();
    parser.end();
    return ok(condition);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return err(appError('invalid_input', error.said, { where: `column ${error.at + 1}` }));
  }
}

const strength = { or: 1, and: 2, compare: 3, not: 4, ref: 5, value: 5 } as const;

/** Writes brackets only where they change the meaning. */
export function printCondition(condition: Condition): string {
  const below = (inner: Condition, least: number): string =>
    strength[inner.kind] < least ? `(${printCondition(inner)})` : printCondition(inner);
  switch (condition.kind) {
    case 'or':
      return `${below(condition.left, 1)} || ${below(condition.right, 2)}`;
    case 'and':
      return `${below(condition.left, 2)} && ${below(condition.right, 3)}`;
    case 'compare':
      return `${below(condition.left, 4)} ${condition.operator} ${below(condition.right, 4)}`;
    case 'not':
      return `!${below(condition.operand, 4)}`;
    case 'ref':
      return printRef(condition.ref);
    case 'value':
      return stringifyExact(condition.value);
    default:
      return assertNever(condition);
  }
}
