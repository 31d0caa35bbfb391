/** What is wrong with a field, in the words of whoever wrote the file rather than those of the schema. */
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

/** Of a field that takes several forms, what is wrong with the one that was meant: whatever is not about the form. */
function unionText(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const all = issue.errors.flat();
  const meant = all.find(({ code, path }) => code !== 'invalid_type' || path.length > 0) ?? all[0];
  return meant ? issueText(meant) : 'This form is not known here.';
}

/** A sentence with its full stop. */
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
