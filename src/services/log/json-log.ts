/**
 * The `Log` port as JSON lines, scrubbed of secrets, to any sink of text lines. Whatever stands in the fields, there is a
 * line, and writing it throws nothing of its own.
 */
import type { Log, LogFields } from '../../core/ports.ts';
import type { Scrubber } from './scrub.ts';

const ranks = { debug: 1, info: 2, warn: 3, error: 4, silent: 5 } as const;
export type LogLevel = keyof typeof ranks;

/** Of what leads back to itself, once; errors keep what makes them readable, which JSON leaves out. */
function jsonOf(line: LogFields): string {
  const above: unknown[] = [];
  return JSON.stringify(line, function (this: unknown, _key, value: unknown) {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    while (above.length > 0 && above.at(-1) !== this) above.pop();
    if (above.includes(value)) return '[Circular]';
    const kept =
      value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;
    above.push(kept);
    return kept;
  });
}

function lineOf(level: LogLevel, bindings: LogFields, event: string, fields: LogFields): string {
  const head = { level, time: new Date().toISOString(), ...bindings, event };
  try {
    return jsonOf({ ...head, ...fields });
  } catch (error) {
    return jsonOf({ level, time: head.time, event, unwritable: String(error) });
  }
}

export function createJsonLog(options: {
  readonly level: LogLevel;
  readonly scrubber: Scrubber;
  readonly write: (line: string) => void;
}): Log {
  const { level: least, scrubber, write } = options;
  const bound = (bindings: LogFields): Log => {
    const at =
      (level: LogLevel) =>
      (event: string, fields: LogFields = {}) => {
        if (ranks[level] >= ranks[least])
          write(scrubber.scrub(`${lineOf(level, bindings, event, fields)}\n`));
      };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => bound({ ...bindings, ...fields }),
    };
  };
  return bound({});
}
