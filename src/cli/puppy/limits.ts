import { commandFailure } from '../terminal.ts';
import { wholeNumberFlag } from './arguments.ts';

// Limits and output format of a command.

export interface LimitFlags {
  readonly timeoutMs?: string;
  readonly maxStdoutBytes?: string;
  readonly wait?: boolean;
}

export interface ModeFlags {
  readonly mode?: string;
  readonly json?: boolean;
}

/** ms to wait for timers if no limit was given. */
const patienceMs = 120_000;

/** `otherwise` is the default mode. */
export function isTool({ mode, json }: ModeFlags, otherwise: 'tool' | 'human'): boolean {
  const wanted = mode ?? otherwise;
  if (wanted !== 'tool' && wanted !== 'human')
    throw commandFailure('invalid_input', 'cliPuppy.oneOf', {
      flag: '--mode',
      values: ['human', 'tool'].join(', '),
    });
  return wanted === 'tool' || json === true;
}

export function limitsOf(flags: LimitFlags) {
  const timeoutMs = wholeNumberFlag('--timeout-ms', flags.timeoutMs, 1);
  const maxStdoutBytes = wholeNumberFlag('--max-stdout-bytes', flags.maxStdoutBytes, 1_024);
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxStdoutBytes === undefined ? {} : { maxStdoutBytes }),
    patienceMs: flags.wait ? Number.MAX_SAFE_INTEGER : (timeoutMs ?? patienceMs),
  };
}
