import type { Words } from '../words.ts';

export const forms: Words<'forms'> = {
  answer: 'Antwort',
  optional: '{name} (optional)',
  choose: 'Wähle…',
  yes: 'Ja',
  no: 'Nein',
  lines: 'Eins pro Zeile.',
  json: 'Als JSON.',
  any: 'JSON oder einfacher Text.',
  problem_required: 'Erforderlich.',
  problem_number: 'Gib eine Zahl ein, etwa 3 oder 0.5.',
  problem_integer: 'Gib eine ganze Zahl ein.',
  problem_json: 'Noch kein gültiges JSON.',
};
