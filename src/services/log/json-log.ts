/** The `Log` port as JSON lines through pino, scrubbed of secrets, to any sink of text lines. */
import { pino } from 'pino';
import type { Log, LogFields } from '../../core/ports.ts';
import type { Scrubber } from './scrub.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Keeps message and stack of errors; pino would log them as empty objects under these field names. */
function plainFields(fields: LogFields | undefined): Record<string, unknown> {
  if (!fields) return {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
    ]),
  );
}

type Target = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** A class, with children that need no pino child: every idle agent keeps several of them. */
class JsonLog implements Log {
  readonly #target: Target;
  readonly #bound: Readonly<Record<string, unknown>>;

  constructor(target: Target, bound: Readonly<Record<string, unknown>>) {
    this.#target = target;
    this.#bound = bound;
  }

  debug(event: string, fields?: LogFields): void {
    this.#target.debug(this.#line(event, fields));
  }

  info(event: string, fields?: LogFields): void {
    this.#target.info(this.#line(event, fields));
  }

  warn(event: string, fields?: LogFields): void {
    this.#target.warn(this.#line(event, fields));
  }

  error(event: string, fields?: LogFields): void {
    this.#target.error(this.#line(event, fields));
  }

  child(fields: LogFields): Log {
    return new JsonLog(this.#target, { ...this.#bound, ...plainFields(fields) });
  }

  #line(event: string, fields: LogFields | undefined): Record<string, unknown> {
    return { ...this.#bound, event, ...plainFields(fields) };
  }
}

export function createJsonLog(options: {
  readonly level: LogLevel;
  readonly scrubber: Scrubber;
  readonly write: (line: string) => void;
}): Log {
  const stream = { write: (line: string) => options.write(options.scrubber.scrub(line)) };
  return new JsonLog(
    pino(
      {
        level: options.level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      stream,
    ),
    {},
  );
}
