/** Parses one line of the log file for display. A line that is not JSON is shown unchanged, never dropped. */
import { isRecord } from '../../contract/is-record.ts';
import { type LogLevelName, type LogLine, logLevels } from '../../contract/work-methods.ts';

const restLimit = 4_000;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const member = (name: string, text: string): string =>
  `"${name}":${JSON.stringify(text.slice(0, restLimit))}`;

/** Always the members of a JSON object, even if truncated. */
function restOf(rest: Readonly<Record<string, unknown>>): string {
  const members = JSON.stringify(rest).slice(1, -1);
  return members.length > restLimit ? member('cut', members) : members;
}

function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

export function logLineOf(id: string, text: string): LogLine {
  const fields = fieldsOf(text);
  if (!fields) return { id, at: 0, level: 'info', event: '', agent: '', rest: member('text', text) };
  const { time, level, event, agent, ...rest } = fields;
  const at = typeof time === 'number' ? time : Date.parse(textOf(time));
  return {
    id,
    at: Number.isFinite(at) ? at : 0,
    level: logLevels.find((one) => one === level) ?? 'info',
    event: textOf(event),
    agent: textOf(agent),
    rest: restOf(rest),
  };
}

/** True if `level` is at least as severe as `least`. */
export const atLeast = (level: LogLevelName, least: LogLevelName): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(least);
