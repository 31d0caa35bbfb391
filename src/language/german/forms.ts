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
  problem_required: 'Das wird gebraucht.',
  problem_number: 'Schreib eine Zahl, etwa 3 oder 0.5.',
  problem_integer: 'Schreib eine ganze Zahl.',
  problem_json: 'Das ist noch kein JSON.',
};
