/** Makes an error from the catalogs: `fail('not_found', 'tasks.unknownTask', { id }, { help: 'tasks.list' })`. */
import { type HostKey, say, type ValuesFor } from '../language/say.ts';
import { type AppError, appError, type ErrorCode } from './errors.ts';

interface ErrorDetails<Help> {
  /** Key of the next step. Its slots take the same values. */
  readonly help?: Help | undefined;
  /** File, line or field. Never a secret. */
  readonly where?: string | undefined;
}

type Details<Key, Help> = keyof ValuesFor<Key | Help> extends never
  ? [values?: Readonly<Record<string, never>>, details?: ErrorDetails<Help>]
  : [values: ValuesFor<Key> & ValuesFor<Help>, details?: ErrorDetails<Help>];

export function fail<Key extends HostKey, Help extends HostKey = never>(
  code: ErrorCode,
  key: Key,
  ...[values, details]: Details<Key, Help>
): AppError {
  const { help, where } = details ?? {};
  const speak = say as (key: HostKey, values?: object) => ReturnType<typeof say>;
  return appError(code, speak(key, values), {
    ...(help === undefined ? {} : { hint: speak(help, values) }),
    ...(where === undefined ? {} : { where }),
  });
}
