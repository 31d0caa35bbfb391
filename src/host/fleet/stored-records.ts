import type { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';

/** A list in the key-value table of an account; empty if it is missing or damaged. */
export function readStoredRecords<T>(
  store: Pick<AccountStore, 'getValue'>,
  key: string,
  schema: z.ZodType<T[]>,
): T[] {
  const text = store.getValue(key);
  return text === null ? [] : (jsonAs(schema, text) ?? []);
}
