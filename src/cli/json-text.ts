import type { HostMessage } from '../language/host-message.ts';
import { printableJson } from './visible-text.ts';

const parts: readonly string[] = ['key', 'values', 'text'];

function isMessage(value: unknown): value is HostMessage {
  if (typeof value !== 'object' || value === null || !('key' in value && 'text' in value)) return false;
  const { key, text } = value;
  const isNamed = typeof key === 'string' && /^\w+\.\w+$/.test(key) && typeof text === 'string';
  return isNamed && Object.keys(value).every((name) => parts.includes(name));
}

/** JSON for programs: a message of the host is its English text, in every language of the terminal. */
export const jsonText = (value: unknown, indent?: number): string =>
  printableJson(
    JSON.stringify(value, (_name, part: unknown) => (isMessage(part) ? part.text : part), indent),
  );
