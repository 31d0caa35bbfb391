/**
 * YAML 1.2 core without aliases (T25), edited in place: comments, unknown keys and their order survive a
 * save, and every problem has its line. The reader of the file limits its size.
 */
import {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { type AppError, appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { yamlReason } from './yaml-reason.ts';

export type YamlPath = readonly (string | number)[];

export interface YamlPosition {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

export interface YamlDocument {
  /** Plain data: maps, lists, strings, numbers, booleans, null. */
  readonly value: unknown;
  /** From 1; the line of the nearest existing parent if `path` is missing; 1 for an empty file. */
  lineOf(path: YamlPath): number;
  /** Like `lineOf`, with the column. `key`: the position of the key instead of its value. */
  positionOf(path: YamlPath, part?: 'key' | 'value'): YamlPosition;
  has(path: YamlPath): boolean;
  /** Adds or replaces one value, and creates missing parent maps. */
  set(path: YamlPath, value: unknown): void;
  delete(path: YamlPath): void;
  text(): string;
}

const writeOptions = { singleQuote: true, lineWidth: 0, indentSeq: false } as const;
const firstPlace: YamlPosition = { line: 1, column: 1 };
const maxDepth = 64;
const listInList = /(?:[-?:] +){65}/;

const problem = (message: HostMessage, { line, column }: YamlPosition): AppError =>
  appError('invalid_input', message, { where: `line ${line}, column ${column}` });

/** Checked on the text, because the parser recurses: no configuration nests deeper than 64. */
function flowDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Offset of the first duplicate key; `null` if none. */
function twice(map: YAMLMap<unknown, unknown>): number | null {
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    const name = isScalar(key) ? key.value : key;
    if (seen.has(name)) return isNode(key) ? (key.range?.[0] ?? 0) : 0;
    seen.add(name);
  }
  return null;
}

function place(lines: LineCounter, offset: number): YamlPosition {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function refusal(document: Document.Parsed, lines: LineCounter): AppError | null {
  const first = document.errors[0];
  if (first) {
    const [said = ''] = first.message.split(/ at line \d+/);
    return problem(say('settings.invalidYaml', { reason: yamlReason(said) }), place(lines, first.pos[0]));
  }
  let found: AppError | null = null;
  visit(document, (_key, node) => {
    const again = isMap(node) ? twice(node) : null;
    if (again !== null) {
      found = problem(say('settings.duplicateName'), place(lines, again));
      return visit.BREAK;
    }
    if (!isAlias(node) && !(isNode(node) && 'anchor' in node && node.anchor)) return undefined;
    const at = node.range?.[0] ?? 0;
    found = problem(say('settings.anchorsNotAllowed'), place(lines, at));
    return visit.BREAK;
  });
  return found;
}

function positionAt(document: Document, lines: LineCounter, path: YamlPath): YamlPosition {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    if (start !== undefined) return place(lines, start);
  }
  return firstPlace;
}

/** Offset of a key in its map; `undefined` if missing. */
function keyAt(document: Document, path: YamlPath): number | undefined {
  const map = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(map)) return undefined;
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
}

function wrap(document: Document, lines: LineCounter): YamlDocument {
  return {
    get value() {
      return document.toJS({ maxAliasCount: 0 }) ?? {};
    },
    lineOf: (path) => positionAt(document, lines, path).line,
    positionOf: (path, part = 'value') => {
      const key = part === 'key' ? keyAt(document, path) : undefined;
      return key === undefined ? positionAt(document, lines, path) : place(lines, key);
    },
    has: (path) => document.hasIn(path),
    set(path, value) {
      // An empty parent (`runtime:`) is null and cannot have keys.
      for (let length = 1; length < path.length; length += 1) {
        const parent = path.slice(0, length);
        if (!isMap(document.getIn(parent, true))) document.setIn(parent, document.createNode({}));
      }
      const keep = typeof value !== 'object' || value === null;
      document.setIn(path, keep ? value : document.createNode(value));
    },
    delete: (path) => void (document.hasIn(path) && document.deleteIn(path)),
    text: () => document.toString(writeOptions),
  };
}

/** Errors are `invalid_input` with `where: "line N, column C"`. */
export function readYaml(text: string): Result<YamlDocument> {
  if (flowDepth(text) > maxDepth || listInList.test(text))
    return err(problem(say('settings.textTooDeep'), firstPlace));
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    lineCounter: lines,
    prettyErrors: true,
    // Checked above: the parser compares each key with every other, which takes a minute for a map of 40,000
    // keys (T25).
    uniqueKeys: false,
  });
  const refused = refusal(document, lines);
  if (refused) return err(refused);
  if (document.contents !== null && !isMap(document.contents)) {
    return err(problem(say('settings.mappingRequired'), firstPlace));
  }
  return ok(wrap(document, lines));
}

/** New document in block style, with keys in the given order. */
export function writeYaml(value: Readonly<Record<string, unknown>>): string {
  const document = new Document({}, { version: '1.2', schema: 'core' });
  const fresh = wrap(document, new LineCounter());
  for (const [key, member] of Object.entries(value)) fresh.set([key], member);
  return fresh.text();
}
