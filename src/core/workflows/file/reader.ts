/** State of reading one file: findings so far, positions, and known names. */

import type { z } from 'zod';
import { issueText } from '../../../contract/issue-text.ts';
import type { HostMessage, HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { cutText } from '../../lib/cut-text.ts';
import type { Json, Template } from './definition.ts';
import { type Finding, type Locate, nowhere, type Position, type Severity } from './finding.ts';
import type { KnownNames } from './names.ts';
import { fieldPart, inPart } from './parts.ts';
import { snakeOf } from './strict-fields.ts';
import { parseTemplate } from './template.ts';

/** Path into the file: `['steps', 0, 'retry']`. */
export type SourcePlace = readonly (string | number)[];

export interface Positions {
  /** `key`: the position of the field name instead of its value. */
  positionOf(place: SourcePlace, part?: 'key' | 'value'): Position;
  has(place: SourcePlace): boolean;
}

export const noPositions: Positions = { positionOf: () => nowhere, has: () => true };

/** Fields whose name in the check differs from a spelling that files may use. */
const otherNames: Readonly<Record<string, string>> = { run: 'command', when: 'condition' };

/** Locating each finding takes time: a file of errors only would take a minute (T25). */
const maxFindings = 100;
/** Most code points, because a message may quote the file. */
const longestMessage = 1_000;

const camelOf = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const badDuration = say('workflowFiles.issueDuration');

export class Reader {
  readonly names: KnownNames;
  readonly findings: Finding[] = [];
  readonly #positions: Positions;
  readonly #stepPlaces = new Map<string, SourcePlace>([['', []]]);
  /** Many findings may concern one field. */
  readonly #located = new Map<string, Position>();

  constructor(names: KnownNames, positions: Positions) {
    this.names = names;
    this.#positions = positions;
  }

  /** Records the position of the step with that path. */
  step(path: string, place: SourcePlace): void {
    this.#stepPlaces.set(path, place);
  }

  readonly locate: Locate = (path, field) => {
    const key = `${path}\0${field ?? ''}`;
    const before = this.#located.get(key);
    if (before) return before;
    const found = this.#field(this.#stepPlaces.get(path) ?? [], field);
    this.#located.set(key, found);
    return found;
  };

  #field(place: SourcePlace, field: string | undefined): Position {
    const names = field === undefined ? [] : [field, otherNames[field] ?? field];
    const real = names
      .map((name) => this.#spelled([...place, name]))
      .find((inside) => this.#positions.has(inside));
    return this.#positions.positionOf(real ?? this.#spelled(place));
  }

  /** Finds the spelling that the file uses for fields of the schema. */
  #spelled(place: SourcePlace): SourcePlace {
    const real: (string | number)[] = [];
    for (const key of place) {
      const spellings =
        typeof key === 'string' ? [key, camelOf(key), key.replaceAll('_', '-'), snakeOf(key)] : [key];
      real.push(spellings.find((spelling) => this.#positions.has([...real, spelling])) ?? key);
    }
    return real;
  }

  tell(
    severity: Severity,
    rule: string,
    path: string,
    place: SourcePlace,
    message: HostText,
    hint?: HostText,
  ): void {
    this.#keep({ severity, rule, path, message, ...(hint === undefined ? {} : { hint }) }, place, 'value');
  }

  #keep(finding: Omit<Finding, 'line' | 'column'>, place: SourcePlace, part: 'key' | 'value'): void {
    const { severity } = finding;
    const broken = this.findings.some((one) => one.severity === 'error');
    if (this.findings.length >= maxFindings && (broken || severity === 'warning')) return;
    const message = cutText(finding.message, longestMessage);
    this.findings.push({ ...finding, message, ...this.#positions.positionOf(this.#spelled(place), part) });
  }

  error(rule: string, path: string, place: SourcePlace, message: HostText, hint?: HostText): void {
    this.tell('error', rule, path, place, message, hint);
  }

  /** `null` after at least one finding; `part` begins each message: `Step "a"`. */
  parse<T extends z.ZodType>(
    schema: T,
    value: unknown,
    place: SourcePlace,
    path: string,
    part: HostMessage,
  ): z.output<T> | null {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const inside = issue.path.filter((key) => typeof key !== 'symbol');
      const unknown = issue.code === 'unrecognized_keys';
      const at = [...place, ...inside, ...(unknown ? issue.keys.slice(0, 1) : [])];
      const where = inside.length > 0 ? fieldPart(part, inside.join('.')) : part;
      const message = inPart(where, issueText(issue, badDuration));
      const rule = unknown ? 'unknown-field' : 'wrong-field';
      this.#keep({ severity: 'error', rule, path, message }, at, unknown ? 'key' : 'value');
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

/** The file was parsed from JSON or YAML 1.2, so every value in it is JSON. */
export const asJson = (value: unknown): Json => (value === undefined ? null : (value as Json));
