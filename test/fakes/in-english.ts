import type { HostMessage, HostText } from '../../src/language/host-message.ts';

type English<T> = T extends HostMessage
  ? string
  : T extends (...all: never) => unknown
    ? T
    : T extends object
      ? { [Key in keyof T]: English<T[Key]> }
      : T;

const isMessage = (value: object): value is HostMessage => 'key' in value && 'text' in value;

/** A copy in which each message of the host is its English text. */
export function inEnglish<T>(value: T): English<T>;
export function inEnglish(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => inEnglish(one));
  if (isMessage(value)) return value.text satisfies HostText;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inEnglish(one)]));
}
