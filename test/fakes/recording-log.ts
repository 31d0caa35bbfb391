/** A log that keeps its lines, so that tests can check what was written and what was not. */
import type { Log, LogFields } from '../../src/core/ports.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: LogFields;
}

export interface RecordingLog extends Log {
  readonly lines: LogLine[];
}

export function createRecordingLog(lines: LogLine[] = [], base: LogFields = {}): RecordingLog {
  const write =
    (level: LogLine['level']) =>
    (event: string, fields: LogFields = {}): void => {
      lines.push({ level, event, fields: { ...base, ...fields } });
    };
  return {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => createRecordingLog(lines, { ...base, ...fields }),
  };
}
