import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../src/contract');

/** Names of fields that hold a sentence for a person. */
const names =
  'activity|cause|deliveryError|detail|error|errorText|hint|message|notes?|problems?|refusal|sentence|summary|warnings?|why';
/** An input has a limit of length; this finds what the host sends. */
const bareSentence = new RegExp(
  `^\\s*(?:.*[{,] )?(${names}): z\\.(?:string\\(\\)|array\\(z\\.string\\(\\)\\))(?!\\.m)`,
);

/** Fields whose text is not the host's, or is beside its key. */
const allowed: Readonly<Record<string, string>> = {
  'approvals.ts detail': 'a line of the audit log, which is hashed',
  'container-images.ts why': 'words of the container engine',
  'error-schema.ts hint': 'English beside `help`',
  'error-schema.ts message': 'English beside `said`',
  'model.ts errorText': 'words of another computer',
  'model.ts hint': 'English beside `help`',
  'model.ts message': 'English beside `said`',
  'task-methods.ts error': 'what a tool or the journal told the agent',
  'work.ts detail': 'arguments and result of a tool',
};

const bareFields = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const name = bareSentence.exec(line)?.[1];
    return name === undefined ? [] : [`${file} ${name}`];
  });

describe('Texts of the contract', () => {
  it('are messages of the catalogs, not bare sentences', () => {
    const found = readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => bareFields(name, readFileSync(path.join(folder, name), 'utf8')));
    expect([...new Set(found)].sort()).toEqual(Object.keys(allowed));
  });

  it.each([
    '  warning: z.string(),',
    '  deliveryError: z.string().nullable(),',
    '    () => z.object({ note: z.string() }),',
    '  notes: z.array(z.string()),',
  ])('report a bare sentence: %s', (line) => {
    expect(bareFields('a.ts', line)).toHaveLength(1);
  });

  it.each(['  note: hostTextSchema,', '  message: z.string().min(1).max(100),', '  path: z.string(),'])(
    'report no other field: %s',
    (line) => {
      expect(bareFields('a.ts', line)).toEqual([]);
    },
  );
});
