/** What one reading of a file carries along: the findings so far, the lines, and the names that exist. */
import type { z } from 'zod';
import { cutCodePoints } from '../../lib/text.ts';
import type { Json, Template } from './definition.ts';
import type { Finding, Severity } from './finding.ts';
import type { KnownNames } from './names.ts';
import { snakeOf } from './strict-fields.ts';
import { parseTemplate } from './template.ts';

/** Where something stands in the file: `['steps', 0, 'retry']`. */
export type Place = readonly (string | number)[];

export interface Lines {
  /** From 1; 0 when there is no text. */
  lineOf(place: Place): number;
  has(place: Place): boolean;
}

export const noLines: Lines = { lineOf: () => 0, has: () => true };

/** Nobody reads more, and each one looks for its line: a file of nothing but errors would take a minute (T25). */
const maxFindings = 100;
/** Code points; a message may name what is in the file. */
const longestMessage = 1_000;

const camelOf = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export class Reader {
  readonly names: KnownNames;
  readonly findings: Finding[] = [];
  /** Line of each step by its stable path; the file itself is the empty path. */
  readonly stepLines = new Map<string, number>();
  readonly #lines: Lines;

  constructor(names: KnownNames, lines: Lines) {
    this.names = names;
    this.#lines = lines;
  }

  /** The schema knows one spelling of a field, the file may have another. */
  line(place: Place): number {
    const real: (string | number)[] = [];
    for (const key of place) {
      const spellings =
        typeof key === 'string' ? [key, camelOf(key), key.replaceAll('_', '-'), snakeOf(key)] : [key];
      real.push(spellings.find((spelling) => this.#lines.has([...real, spelling])) ?? key);
    }
    return this.#lines.lineOf(real);
  }

  tell(severity: Severity, rule: string, path: string, place: Place, message: string, hint?: string): void {
    const broken = this.findings.some((one) => one.severity === 'error');
    if (this.findings.length >= maxFindings && (broken || severity === 'warning')) return;
    const line = this.line(place);
    const text = cutCodePoints(message, longestMessage);
    this.findings.push({
      severity,
      rule,
      message: text,
      path,
      line,
      ...(hint === undefined ? {} : { hint }),
    });
  }

  error(rule: string, path: string, place: Place, message: string, hint?: string): void {
    this.tell('error', rule, path, place, message, hint);
  }

  /** Null after at least one finding; `who` begins each sentence: `Step "a"`. */
  parse<T extends z.ZodType>(
    schema: T,
    value: unknown,
    place: Place,
    path: string,
    who: string,
  ): z.output<T> | null {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const inside = issue.path.filter((key) => typeof key !== 'symbol');
      const unknown = issue.code === 'unrecognized_keys';
      const at = [...place, ...inside, ...(unknown ? issue.keys.slice(0, 1) : [])];
      const where = inside.length > 0 ? `, ${inside.join('.')}` : '';
      this.error(unknown ? 'unknown-field' : 'wrong-field', path, at, `${who}${where}: ${issue.message}.`);
    }
    return null;
  }

  template(text: string): Template {
    return parseTemplate(text, this.names);
  }

  templates(texts: Readonly<Record<string, string>> | undefined): { readonly [name: string]: Template } {
    const entries = Object.entries(texts ?? {}).map(([key, text]) => [key, this.template(text)] as const);
    return Object.fromEntries(entries);
  }
}

/** The file was read as JSON or YAML 1.2, so that a value in it is JSON. */
export const asJson = (value: unknown): Json => (value === undefined ? null : (value as Json));
