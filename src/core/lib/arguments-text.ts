import { isRecord } from '../../contract/is-record.ts';

const valueText = (value: unknown): string =>
  typeof value === 'string' ? (value.includes('\n') ? `\n${value}` : value) : JSON.stringify(value, null, 1);

/** The arguments of a call for a person: one `name: value` per line, with text as it is and not as JSON. */
export function argumentsText(args: unknown): string {
  if (!isRecord(args)) return args === undefined ? '' : valueText(args);
  return Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('\n');
}
