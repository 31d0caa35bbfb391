/** Turns schema issues into messages for the author of the file. */
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  bigint: 'a whole number',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'nothing',
  number: 'a number',
  object: 'fields',
  record: 'fields',
  string: 'a text',
};
const kindText = (kind: string): string => kinds[kind] ?? kind;

const plural = (origin: string, count: number | bigint): string =>
  `${count} ${origin === 'string' ? 'character' : 'part'}${Number(count) === 1 ? '' : 's'}`;

/**
 * For a union: the issue of the form that the author probably meant, which is any issue not about the form
 * itself.
 */
function unionText(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const all = issue.errors.flat();
  const meant = all.find(({ code, path }) => code !== 'invalid_type' || path.length > 0) ?? all[0];
  return meant ? issueText(meant) : 'This form is not known here.';
}

export function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.includes('received undefined')
        ? 'It is missing.'
        : `It must be ${kindText(issue.expected)}.`;
    case 'invalid_value':
      return `It must be one of ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array')
        return Number(issue.minimum) === 1
          ? 'It must not be empty.'
          : `It must have at least ${plural(issue.origin, issue.minimum)}.`;
      return issue.inclusive === false
        ? `It must be more than ${issue.minimum}.`
        : `It must be at least ${issue.minimum}.`;
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `It may have at most ${plural(issue.origin, issue.maximum)}.`
        : `It may be at most ${issue.maximum}.`;
    case 'invalid_union':
      return unionText(issue);
    case 'custom':
      return `It ${issue.message}.`;
    default:
      return `${issue.message}.`;
  }
}
