/** Turns issues of zod into messages for the person who gave the value. */
import type { z } from 'zod';
import type { HostMessage, HostText } from '../language/host-message.ts';
import { say } from '../language/say.ts';

export type InputIssue = z.core.$ZodIssue;

/** Keys without a field, each with the name that the author probably meant. */
export type UnknownKeys = readonly { readonly key: string; readonly meant: string | null }[];

/** More names do not fit into a message anyway. */
const mostNamed = 200;

const whole = say('fields.whole');
const fields = say('fields.fields');
const kinds: Readonly<Record<string, HostText>> = {
  array: say('fields.list'),
  bigint: whole,
  boolean: say('fields.boolean'),
  int: whole,
  null: say('fields.nothing'),
  number: say('fields.number'),
  object: fields,
  record: fields,
  string: say('fields.text'),
};

/**
 * For a union: the issue of the form that the author probably meant, which is any issue not about the form
 * itself.
 */
function unionText(issue: Extract<InputIssue, { code: 'invalid_union' }>, custom?: HostMessage): HostMessage {
  const all = issue.errors.flat();
  const meant = all.find(({ code, path }) => code !== 'invalid_type' || path.length > 0) ?? all[0];
  return meant ? issueText(meant, custom) : say('fields.form');
}

function tooSmall({ origin, minimum, inclusive }: Extract<InputIssue, { code: 'too_small' }>): HostMessage {
  const n = Number(minimum);
  if (origin === 'string' || origin === 'array') {
    if (n === 1) return say('fields.empty');
    return origin === 'string' ? say('fields.fewCharacters', { n }) : say('fields.fewParts', { n });
  }
  return inclusive === false ? say('fields.more', { n }) : say('fields.least', { n });
}

function tooBig({ origin, maximum }: Extract<InputIssue, { code: 'too_big' }>): HostMessage {
  const n = Number(maximum);
  if (origin === 'string') return say('fields.characters', { n });
  return origin === 'array' ? say('fields.parts', { n }) : say('fields.most', { n });
}

function unknownText(issue: {
  readonly keys: readonly string[];
  readonly unknown?: UnknownKeys;
}): HostMessage {
  const unknown = issue.unknown ?? issue.keys.map((key) => ({ key, meant: null }));
  return say('fields.unknown', {
    names: unknown
      .slice(0, mostNamed)
      .map(({ key: name, meant }) =>
        meant === null ? say('fields.name', { name }) : say('fields.meant', { name, meant }),
      ),
  });
}

/** `custom`: the text of a rule that the schema itself gives no text. */
export function issueText(issue: InputIssue, custom?: HostMessage): HostMessage {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.includes('received undefined')
        ? say('fields.missing')
        : say('fields.kind', { kind: kinds[issue.expected] ?? issue.expected });
    case 'invalid_value':
      return say('fields.value', { values: issue.values.map(String).join(', ') });
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_union':
      return unionText(issue, custom);
    case 'unrecognized_keys':
      return unknownText(issue);
    default:
      return issue.code === 'custom' && custom ? custom : say('fields.other', { what: issue.message });
  }
}

/** The first of the issues, with the name of its field. */
export function inputText(issues: readonly InputIssue[]): HostMessage {
  const [first] = issues;
  if (!first) return say('fields.misfit');
  const [field, why] = [first.path.map(String).join('.'), issueText(first)];
  return field === '' ? why : say('fields.ofField', { field, why });
}
