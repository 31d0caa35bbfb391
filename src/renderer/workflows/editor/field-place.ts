/**
 * Finds the field of a workflow file at a position of the text: by indentation, so that it also works while
 * the text is incomplete. Understands block YAML and `{…}` within one line.
 */
import {
  type FieldGroup,
  type FieldKey,
  type FieldText,
  workflowFields,
} from '../../../contract/workflow-fields.ts';
import { t } from '../../../language/texts.ts';

export interface FieldPlace {
  /** The object that holds the position, or `null` if it has no known fields. */
  readonly group: FieldGroup | null;
  /** The field whose name or value holds the position, or empty. */
  readonly field: string;
  readonly inValue: boolean;
  /** Start of the name or value; the text up to the position is what was typed of it. */
  readonly from: number;
}

/** A step of a list in block form. */
export interface ListedStep {
  /** Columns before its dash. */
  readonly indent: number;
  /** Index of its first line, counted from 0. */
  readonly line: number;
}

type Level = FieldGroup | 'args' | 'list' | null;

const containers: Readonly<Partial<Record<FieldKey, Level>>> = {
  file_steps: 'list',
  file_args: 'args',
  file_cost_limit: 'cost_limit',
  step_approval: 'approval',
  step_input: 'input',
  step_agent: 'agent',
  step_llm_task: 'llm_task',
  step_parallel: 'parallel',
  step_retry: 'retry',
  step_sleep: 'sleep',
  step_steps: 'list',
  parallel_branches: 'list',
  llm_task_fallback: 'list',
  gate_on_reject: 'outcome',
  gate_on_timeout: 'outcome',
  outcome_steps: 'list',
};

/** The field with the group that lists it: `approval` and `input` share the fields of questions. */
export function fieldKey(group: FieldGroup | null, field: string): FieldKey | null {
  const has = (name: FieldGroup): boolean => (workflowFields[name] as readonly string[]).includes(field);
  if (group === null) return null;
  if (has(group)) return `${group}_${field}` as FieldKey;
  return (group === 'approval' || group === 'input') && has('gate') ? (`gate_${field}` as FieldKey) : null;
}

/** Explains a field in one sentence. */
export function fieldHelp(key: FieldKey): string {
  const text: FieldText = `workflowFields.${key}`;
  return t(text);
}

const item = '-';

function below(level: Level, key: string): Level {
  if (level === 'args') return 'arg';
  if (level === 'list' || level === 'outcome') {
    if (key === item) return 'step';
    if (level === 'list') return null;
  }
  if (level === null) return null;
  const known = fieldKey(level, key);
  return known === null ? null : (containers[known] ?? null);
}

interface Row {
  /** Column of the first dash, or `null`. */
  readonly dash: number | null;
  /** Column of the text behind dashes. */
  readonly column: number;
  readonly key: string | null;
  /** The text behind the key and colon. */
  readonly rest: string;
}

function rowOf(line: string): Row {
  const [, space = '', dashes = ''] = /^( *)((?:- +|-$)*)/.exec(line) ?? [];
  const column = space.length + dashes.length;
  const found = /^["']?([\w./@-]+)["']? *:(?: +(.*)|$)/.exec(line.slice(column));
  const [key, rest] = [found?.[1] ?? null, found?.[2] ?? ''];
  return { dash: dashes === '' ? null : space.length, column, key, rest };
}

const isEmpty = (line: string): boolean => /^\s*(#.*)?$/.test(line);

interface Above {
  /** Keys from the top, `-` for an entry of a list. */
  readonly path: readonly string[];
  /** Entries of lists above, the innermost first. */
  readonly entries: readonly ListedStep[];
  /** A parent holds a text of several lines, which contains the position. */
  readonly inText: boolean;
}

/** Yields everything that encloses a line, innermost first. */
function enclosing(lines: readonly string[], at: number, column: number, dash: number | null): Above {
  const path: string[] = [];
  const entries: ListedStep[] = [];
  let want = column;
  let inText = false;
  const enter = (indent: number, line: number): void => {
    path.unshift(item);
    entries.push({ indent, line });
    want = indent + 1;
  };
  if (dash !== null) enter(dash, at);
  for (let line = at - 1; line >= 0 && want > 0; line -= 1) {
    const text = lines[line] ?? '';
    if (isEmpty(text)) continue;
    const row = rowOf(text);
    const start = row.dash ?? row.column;
    if (row.column < want && row.key !== null) {
      if (/^[|>][-+\d]*\s*$/.test(row.rest)) inText = true;
      path.unshift(row.key);
      want = row.column;
    }
    if (row.dash !== null && start < want && path[0] !== item) enter(row.dash, line);
  }
  return { path, entries, inText };
}

/** The line with quoted texts and `${…}` blanked out, of the same length. */
const withoutTexts = (line: string): string =>
  line.replace(/\$\{[^}]*\}?|(?<=[\s,{[:])(?:"[^"]*"?|'[^']*'?)/g, (part) => '_'.repeat(part.length));

/** The unclosed braces of a line up to its end, as the keys that hold them, and the start of the last part. */
function flowOf(text: string, start: number): { readonly keys: readonly string[]; readonly from: number } {
  const plain = withoutTexts(text);
  const keys: string[] = [];
  const starts = [start];
  for (const { 0: sign, index } of plain.slice(start).matchAll(/[{},]/g)) {
    const at = start + index;
    if (sign === '{') {
      const before = text.slice(starts.at(-1), at).trimStart();
      keys.push(/^["']?([\w./@-]+)["']? *: *$/.exec(before)?.[1] ?? '');
      starts.push(at + 1);
    } else if (starts.length > 1) {
      starts.pop();
      if (sign === '}') keys.pop();
      else starts.push(at + 1);
    }
  }
  return { keys, from: starts.at(-1) ?? start };
}

/** Position within the lines of a text. */
function lineAt(text: string, offset: number): { readonly index: number; readonly start: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return { index: text.slice(0, start).split('\n').length - 1, start };
}

const nowhere = (offset: number): FieldPlace => ({ group: null, field: '', inValue: false, from: offset });

export function fieldPlace(text: string, offset: number): FieldPlace {
  const lines = text.split('\n');
  const { index, start } = lineAt(text, offset);
  const line = lines[index] ?? '';
  const row = rowOf(line);
  const column = isEmpty(line) && row.dash === null ? offset - start : row.column;
  if (/^\s*#/.test(line)) return nowhere(offset);
  const { path, inText } = enclosing(lines, index, column, row.dash);
  if (inText) return textPlace(path, offset);
  const typed = line.slice(0, offset - start);
  const { keys, from } = flowOf(typed, Math.min(row.column, typed.length));
  const level = [...path, ...keys].reduce<Level>(below, 'file');
  const part = typed.slice(from);
  const [, space = '', name = '', colon = '', gap = ''] =
    /^( *)["']?([\w./@-]*)["']?( *:)?( *)/.exec(part) ?? [];
  const group = level === 'args' || level === 'list' ? null : level;
  const inValue = colon !== '';
  // Behind the position, the name may go on.
  const rest = inValue ? '' : (/^[\w-]*/.exec(line.slice(offset - start))?.[0] ?? '');
  const valueFrom = start + from + (part.length - part.trimStart().length) + name.length + colon.length;
  return {
    group,
    field: name + rest,
    inValue,
    from: inValue ? Math.min(offset, valueFrom + gap.length) : start + from + space.length,
  };
}

/** Inside a text of several lines: the field that holds it. */
function textPlace(path: readonly string[], offset: number): FieldPlace {
  const at = path.findLastIndex((key) => key !== item);
  const level = path.slice(0, at).reduce<Level>(below, 'file');
  const group = level === 'args' || level === 'list' ? null : level;
  return { group, field: path[at] ?? '', inValue: true, from: offset };
}

/** The innermost step that holds the line (counted from 0), or `null`. */
export function listedStep(text: string, index: number): ListedStep | null {
  const lines = text.split('\n');
  const line = lines[index] ?? '';
  const row = rowOf(line);
  const column = isEmpty(line) ? Number.MAX_SAFE_INTEGER : row.column;
  const above = enclosing(lines, index, column, isEmpty(line) ? null : row.dash);
  const holds = (until: number): boolean =>
    above.path.slice(0, until).reduce<Level>(below, 'file') === 'step';
  let entry = 0;
  for (let at = above.path.length; at > 0; at -= 1) {
    if (above.path[at - 1] !== item) continue;
    if (holds(at)) return above.entries[entry] ?? null;
    entry += 1;
  }
  return null;
}

/** Ids of all steps in a text, in its order. */
export const stepIds = (text: string): readonly string[] =>
  [...text.matchAll(/(?:^|[-{,])\s*["']?id["']?\s*:\s*["']?([\w-]+)/gm)].map(([, id = '']) => id);

/** Names below `args:` in block form. */
export function argNames(text: string): readonly string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^args:\s*(#.*)?$/.test(line));
  if (start < 0) return [];
  const names: string[] = [];
  let indent: number | null = null;
  for (const line of lines.slice(start + 1)) {
    if (isEmpty(line)) continue;
    const row = rowOf(line);
    if (row.column === 0) break;
    indent ??= row.column;
    if (row.column === indent && row.key !== null) names.push(row.key);
  }
  return names;
}
