/**
 * Patterns of one schema, with a shared work limit (T25). A pattern that is invalid or too slow matches
 * nothing, and adds an issue at any depth, also below `not` and `anyOf`: an unchecked value never passes.
 */
import { compilePattern, type PatternWork, patternFits } from '../lib/linear-pattern.ts';
import type { SchemaIssue } from './json-schema-walk.ts';

/** Steps of all patterns over all texts of one call; some tens of milliseconds. */
const maxWork = 1_000_000;
const maxShown = 100;
/** One is enough to refuse the call. */
const maxUnread = 10;

export class Patterns {
  readonly unread: SchemaIssue[] = [];
  readonly #work: PatternWork = { left: maxWork };
  readonly #compiled = new Map<string, ReturnType<typeof compilePattern>>();

  fits(source: string, text: string, path: string): boolean {
    const program = this.#program(source);
    const fits = program && patternFits(program, text, this.#work);
    if (fits !== null) return fits;
    if (this.unread.length >= maxUnread) return false;
    const shown = source.length > maxShown ? `${source.slice(0, maxShown)}…` : source;
    const why = program ? 'within bounds' : 'here, so nothing fits it';
    const message = `cannot be checked against the pattern ${shown} ${why}`;
    if (!this.unread.some((one) => one.path === path && one.message === message))
      this.unread.push({ path: path === '' ? '(arguments)' : path, message });
    return false;
  }

  #program(source: string): ReturnType<typeof compilePattern> {
    const known = this.#compiled.get(source);
    if (known !== undefined) return known;
    const made = compilePattern(source);
    this.#compiled.set(source, made);
    return made;
  }
}
