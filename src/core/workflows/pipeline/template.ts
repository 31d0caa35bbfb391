/**
 * Templates of `template` and `map`: `{{path | filter word | …}}`. Parsing happens before anything runs, so
 * an unknown filter is found early. A missing value becomes empty text, and an item is never parsed as a
 * template. Workflow files have another grammar (`file/template.ts`): `${name}` and `$step.path`, no filters,
 * and unknown names stay text.
 */

import { didYouMean } from '../../../contract/did-you-mean.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { exactJsonText, type JsonValue } from './exact-json.ts';
import { filters } from './filters.ts';
import { parsePath, valueAt } from './value-path.ts';

interface Call {
  readonly name: string;
  readonly words: readonly string[];
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly calls: readonly Call[] };

export type ItemTemplate = readonly Part[];

const word = /\s*(?:(\|)|((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s|"'])+))\s*/sy;

/** Words between pipes; quotes may contain blanks, pipes and braces. `null` if a quote stays open. */
function splitWords(text: string): readonly (readonly string[])[] | null {
  const groups: string[][] = [[]];
  for (word.lastIndex = 0; word.lastIndex < text.length; ) {
    const match = word.exec(text);
    if (match === null) return text.trim() === '' ? groups : null;
    if (match[2] === undefined) groups.push([]);
    else groups.at(-1)?.push(match[2]);
  }
  return groups;
}

const unquote = (text: string): string =>
  text.replace(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/gs, (_all, double?: string, single?: string) =>
    (double ?? single ?? '').replace(/\\(.)/gs, '$1'),
  );

function readCall([name = '', ...quoted]: readonly string[]): Result<Call, HostText> {
  const words = quoted.map(unquote);
  const filter = filters.get(name);
  if (!filter) {
    const near = didYouMean(name, [...filters.keys()]);
    return err(
      near === null
        ? say('pipelines.unknownFilter', { name })
        : say('pipelines.unknownFilterMeant', { name, meant: near }),
    );
  }
  if (words.length < filter.min || words.length > filter.max) {
    const { min: least, max: most } = filter;
    const takes = least === most ? least : say('pipelines.filterWordRange', { least, most });
    return err(say('pipelines.filterWords', { name, takes, n: words.length }));
  }
  if (filter.counts && words.some((each) => !/^\d{1,3}$/.test(each))) {
    return err(say('pipelines.filterCount', { name }));
  }
  return ok({ name, words });
}

function readValue(inside: string): Result<Part, HostText> {
  const groups = splitWords(inside);
  const [head, ...rest] = groups ?? [];
  const [place = ''] = head ?? [];
  const path = parsePath(place);
  if (groups === null || path === null || place === '' || (head?.length ?? 0) > 1) {
    return err(say('pipelines.wrongTemplate', { part: `{{${inside}}}` }));
  }
  const calls: Call[] = [];
  for (const group of rest) {
    const call = readCall(group);
    if (!call.ok) return call;
    calls.push(call.value);
  }
  return ok({ kind: 'value', path, calls });
}

/** Offset of the closing braces outside quotes; -1 if none. */
function endOfValue(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (text.startsWith('}}', at)) return at;
  }
  return -1;
}

export function parseItemTemplate(text: string): Result<ItemTemplate, HostText> {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    const before = text.slice(at, open < 0 ? text.length : open);
    if (before !== '') parts.push({ kind: 'text', text: before });
    if (open < 0) return ok(parts);
    const close = endOfValue(text, open + 2);
    if (close < 0) return err(say('pipelines.openTemplate', { part: text.slice(open, open + 40) }));
    const part = readValue(text.slice(open + 2, close));
    if (!part.ok) return part;
    parts.push(part.value);
    at = close + 2;
  }
}

export function renderItem(template: ItemTemplate, item: JsonValue): string {
  return template
    .map((part) => {
      if (part.kind === 'text') return part.text;
      let value: JsonValue = valueAt(item, part.path) ?? null;
      for (const { name, words } of part.calls) value = filters.get(name)?.apply(value, words) ?? null;
      return value === null ? '' : exactJsonText(value);
    })
    .join('');
}
