/** Forms generated from a JSON schema. */
export const forms = {
  answer: 'Answer',
  optional: '{name} (optional)',
  choose: 'Choose…',
  yes: 'Yes',
  no: 'No',
  lines: 'One per line.',
  json: 'As JSON.',
  any: 'JSON, or plain words.',
  problem_required: 'This is needed.',
  problem_number: 'Write a number, such as 3 or 0.5.',
  problem_integer: 'Write a whole number.',
  problem_json: 'This is not JSON yet.',
} as const;
