import { backendFlags, withBackend } from './backend.ts';
import { limitsOf } from './limits.ts';
import { untilSignal } from './signals.ts';
import { tell } from './tell.ts';
import { oneWord, readWords } from './words.ts';

// `puppy cancel` and `puppy retry`.

const flags = {
  ...backendFlags,
  'timeout-ms': 'text',
  'max-stdout-bytes': 'text',
  wait: 'switch',
} as const;

export async function cancelCommand(argv: readonly string[]): Promise<number> {
  const words = readWords(argv, backendFlags);
  const run = oneWord(words, 'a run');
  const telling = { tool: words.has('json'), format: 'json' } as const;
  return withBackend(words, async (backend) => tell(await backend.cancel(run), telling));
}

export async function retryCommand(argv: readonly string[]): Promise<number> {
  const words = readWords(argv, flags);
  const run = oneWord(words, 'a run that failed');
  const limits = limitsOf(words);
  const telling = { tool: words.has('json'), format: 'json' } as const;
  return untilSignal((signal) =>
    withBackend(words, async (backend) => tell(await backend.retry(run, { ...limits, signal }), telling)),
  );
}
