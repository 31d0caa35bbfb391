/** Formats log lines for the screen, the clipboard and files. */
import type { LogLine } from '../../contract/work-methods.ts';
import { t } from '../../language/texts.ts';
import { skippedEvent } from './log-buffer.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** `21:04:07.120` in local time; empty if the line has no time. */
export function lineTime(at: number): string {
  if (at === 0) return '';
  const time = new Date(at);
  const ms = String(time.getMilliseconds()).padStart(3, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${ms}`;
}

/** Text of a gap, with the number of missing lines if known; `null` for any other line. */
export function gapWords({ event, rest }: LogLine): string | null {
  if (event !== skippedEvent) return null;
  const count = /^"count":(\d+)/.exec(rest)?.[1];
  return count === undefined ? t('log.gapUnknown') : t('log.gap', { n: Number(count) });
}

/** The line as in the log file, as far as the host has sent it. */
export function lineJson({ at, level, event, agent, rest }: LogLine): string {
  const head = JSON.stringify({
    level,
    time: new Date(at).toISOString(),
    event,
    ...(agent === '' ? {} : { agent }),
  });
  return rest === '' ? head : `${head.slice(0, -1)},${rest}}`;
}

export const logLineText = (line: LogLine): string =>
  [lineTime(line.at), line.level, line.event, line.agent, line.rest].filter((part) => part !== '').join('  ');
