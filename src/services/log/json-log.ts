/** The `Log` port as JSON lines through pino, scrubbed of secrets, to any sink of text lines. */
import { pino } from 'pino';
import type { Log, LogFields } from '../../core/ports.ts';
import type { Scrubber } from './scrub.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Errors keep their message and stack; pino would log them as empty objects under our field names. */
function plainFields(fields: LogFields | undefined): Record<string, unknown> {
  if (!fields) return {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
    ]),
  );
}

type Target = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>;

function wrap(target: Target): Log {
  return {
    debug: (event, fields) => target.debug({ event, ...plainFields(fields) }),
    info: (event, fields) => target.info({ event, ...plainFields(fields) }),
    warn: (event, fields) => target.warn({ event, ...plainFields(fields) }),
    error: (event, fields) => target.error({ event, ...plainFields(fields) }),
    child: (fields) => wrap(target.child(plainFields(fields))),
  };
}

export function createJsonLog(options: {
  readonly level: LogLevel;
  readonly scrubber: Scrubber;
  readonly write: (line: string) => void;
}): Log {
  const stream = { write: (line: string) => options.write(options.scrubber.scrub(line)) };
  return wrap(
    pino(
      {
        level: options.level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      stream,
    ),
  );
}
