import { usage } from '../terminal.ts';
import type { Words } from './words.ts';

// How long a command may take, how much it may say, and in which form.

/** ms to stay for timers where nobody said how long a run may take. */
const patienceMs = 120_000;

/** `otherwise`: the mode where none is said. */
export function isTool(words: Words, otherwise: 'tool' | 'human'): boolean {
  const mode = words.text('mode') ?? otherwise;
  if (mode !== 'tool' && mode !== 'human') throw usage('--mode must be human or tool.');
  return mode === 'tool' || words.has('json');
}

export function limitsOf(words: Words) {
  const timeoutMs = words.number('timeout-ms', 1);
  const maxStdoutBytes = words.number('max-stdout-bytes', 1_024);
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxStdoutBytes === undefined ? {} : { maxStdoutBytes }),
    patienceMs: words.has('wait') ? Number.MAX_SAFE_INTEGER : (timeoutMs ?? patienceMs),
  };
}
