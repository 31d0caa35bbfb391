import { isRecord } from '../contract/is-record.ts';
import { printable } from './visible-text.ts';

// Formats lines of logs/host.log for people.

type LogLine = Readonly<Record<string, unknown>>;

/** `null` if the line is not valid JSON, e.g. cut off by a crash. */
export function readLogLine(text: string): LogLine | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

export const isAbout = (line: LogLine, agent: string): boolean =>
  [line.agent, line.account, line.id].includes(agent);

const told = new Set(['time', 'level', 'event']);

function fieldText(value: unknown): string {
  if (typeof value === 'string') return /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? String(value);
}

/**
 * `2026-11-21 18:47:13.120 warn  agent_config_bad agent=guide message="…"`; a stack follows on separate
 * lines.
 */
export function logText(line: LogLine): string {
  const time = String(line.time ?? '')
    .replace('T', ' ')
    .replace(/Z$/, '');
  const fields = Object.entries(line)
    .filter(([name, value]) => !told.has(name) && value !== undefined)
    .map(([name, value]) => `${name}=${fieldText(value)}`);
  const level = String(line.level ?? '').padEnd(5);
  return printable([time, level, String(line.event ?? ''), ...fields].join(' ').trimEnd());
}
