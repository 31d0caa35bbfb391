/** Error of a value that does not fit its schema: names the field, and its line if it comes from a file. */
import type { z } from 'zod';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { say } from '../../language/say.ts';
import type { YamlDocument } from './yaml-document.ts';

export interface FieldSource {
  /** Names above the issue's path. */
  readonly prefix?: readonly string[];
  readonly document?: Pick<YamlDocument, 'lineOf'>;
}

export function fieldError(error: z.ZodError, { prefix = [], document }: FieldSource = {}): AppError {
  const [issue] = error.issues;
  const path = [...prefix, ...(issue?.path ?? []).filter((key) => typeof key !== 'symbol')];
  const field = path.join('.') || say('settings.theFile');
  const why = issue?.message ?? say('settings.doesNotFit');
  const where = document === undefined ? undefined : `line ${document.lineOf(path)}`;
  return fail('invalid_input', 'settings.invalidField', { field, why }, { where });
}
