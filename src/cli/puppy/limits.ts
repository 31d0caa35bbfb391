import { usage } from '../terminal.ts';
import type { PuppyArguments } from './words.ts';

// Limits and output format of a command.

/** ms to wait for timers if no limit was given. */
const patienceMs = 120_000;

/** `otherwise` is the default mode. */
export function isTool(words: PuppyArguments, otherwise: 'tool' | 'human'): boolean {
  const mode = words.text('mode') ?? otherwise;
  if (mode !== 'tool' && mode !== 'human') throw usage('--mode must be human or tool.');
  return mode === 'tool' || words.has('json');
}

export function limitsOf(words: PuppyArguments) {
  const timeoutMs = words.number('timeout-ms', 1);
  const maxStdoutBytes = words.number('max-stdout-bytes', 1_024);
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxStdoutBytes === undefined ? {} : { maxStdoutBytes }),
    patienceMs: words.has('wait') ? Number.MAX_SAFE_INTEGER : (timeoutMs ?? patienceMs),
  };
}
