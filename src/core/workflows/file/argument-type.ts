/** Whether a value matches the declared type of an argument, for defaults and for arguments of a run. */
import { assertNever } from '../../lib/assert.ts';
import type { ArgDefinition, Json } from './definition.ts';

/** Integers of any size count, as long as no digit was lost. */
export function isOfType(type: ArgDefinition['type'], value: Json): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value) || typeof value === 'bigint';
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return assertNever(type);
  }
}
