/** Turns schema issues into messages for the author of the file. */
import type { z } from 'zod';
import type { HostMessage, HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { unknownFieldsOf } from './strict-fields.ts';

type Issue = z.core.$ZodIssue;

const whole = say('workflowFiles.kindWhole');
const fields = say('workflowFiles.kindFields');
const kinds: Readonly<Record<string, HostText>> = {
  array: say('workflowFiles.kindList'),
  bigint: whole,
  boolean: say('workflowFiles.kindBoolean'),
  int: whole,
  null: say('workflowFiles.kindNothing'),
  number: say('workflowFiles.kindNumber'),
  object: fields,
  record: fields,
  string: say('workflowFiles.kindText'),
};

/**
 * For a union: the issue of the form that the author probably meant, which is any issue not about the form
 * itself.
 */
function unionText(issue: Extract<Issue, { code: 'invalid_union' }>): HostMessage {
  const all = issue.errors.flat();
  const meant = all.find(({ code, path }) => code !== 'invalid_type' || path.length > 0) ?? all[0];
  return meant ? issueText(meant) : say('workflowFiles.issueForm');
}

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): HostMessage {
  const n = Number(minimum);
  if (origin === 'string' || origin === 'array') {
    if (n === 1) return say('workflowFiles.issueEmpty');
    return origin === 'string'
      ? say('workflowFiles.issueFewCharacters', { n })
      : say('workflowFiles.issueFewParts', { n });
  }
  return inclusive === false ? say('workflowFiles.issueMore', { n }) : say('workflowFiles.issueLeast', { n });
}

function tooBig({ origin, maximum }: Extract<Issue, { code: 'too_big' }>): HostMessage {
  const n = Number(maximum);
  if (origin === 'string') return say('workflowFiles.issueCharacters', { n });
  return origin === 'array' ? say('workflowFiles.issueParts', { n }) : say('workflowFiles.issueMost', { n });
}

export function issueText(issue: Issue): HostMessage {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.includes('received undefined')
        ? say('workflowFiles.issueMissing')
        : say('workflowFiles.issueKind', { kind: kinds[issue.expected] ?? issue.expected });
    case 'invalid_value':
      return say('workflowFiles.issueValue', { values: issue.values.map(String).join(', ') });
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_union':
      return unionText(issue);
    case 'unrecognized_keys':
      return unknownFieldsOf(issue);
    case 'custom':
      // The only rule of its own that a field has.
      return say('workflowFiles.issueDuration');
    default:
      return say('workflowFiles.issueOther', { what: issue.message });
  }
}
