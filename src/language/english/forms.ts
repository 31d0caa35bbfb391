/** Forms generated from a JSON schema. */
export const forms = {
  answer: 'Answer',
  optional: '{name} (optional)',
  choose: 'Choose…',
  yes: 'Yes',
  no: 'No',
  lines: 'One per line.',
  json: 'As JSON.',
  any: 'JSON, or plain text.',
  problem_required: 'Required.',
  problem_number: 'Enter a number, such as 3 or 0.5.',
  problem_integer: 'Enter a whole number.',
  problem_json: 'Not valid JSON yet.',
} as const;
