import type { Again } from '../../library/puppy/standalone.ts';
import { show } from '../terminal.ts';
import { limitsOf } from './limits.ts';
import { backendFlags, valueOrFail, withBackend } from './open-backend.ts';
import { placesText, secondTimeText } from './places-text.ts';
import { untilSignal } from './signals.ts';
import { tell } from './tell.ts';
import { oneWord, type PuppyArguments, readWords } from './words.ts';

// `puppy cancel`, `puppy retry` and `puppy again`.

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
  const words = readWords(argv, { ...flags, from: 'optional' });
  const from = words.text('from');
  const run = oneWord(words, from === undefined ? 'a run that failed' : 'a run that has ended');
  if (from === '') return listPlaces(words, run);
  if (from !== undefined) return begunAgain(words, run, { current: false, from });
  const limits = limitsOf(words);
  const telling = { tool: words.has('json'), format: 'json' } as const;
  return untilSignal((signal) =>
    withBackend(words, async (backend) => tell(await backend.retry(run, { ...limits, signal }), telling)),
  );
}

/** Repeats the pinned definition, or with `--current` the current file. */
export async function againCommand(argv: readonly string[]): Promise<number> {
  const words = readWords(argv, { ...flags, current: 'switch' });
  const run = oneWord(words, 'a run that has ended');
  return begunAgain(words, run, words.has('current') ? { current: true } : { current: false, from: null });
}

/**
 * Lists the steps to restart from, the gates and effects that would repeat, and why other steps are not
 * possible.
 */
function listPlaces(words: PuppyArguments, run: string): Promise<number> {
  return withBackend(words, async (backend) => {
    const known = valueOrFail(await backend.places(run, null));
    show(words.has('json'), known, placesText(known, run));
    return 0;
  });
}

function begunAgain(words: PuppyArguments, run: string, wish: Again): Promise<number> {
  const limits = limitsOf(words);
  const telling = { tool: words.has('json'), format: 'json' } as const;
  return untilSignal((signal) =>
    withBackend(words, async (backend) => {
      if (!telling.tool && !wish.current && wish.from !== null)
        process.stderr.write(secondTimeText(valueOrFail(await backend.places(run, wish.from))));
      return tell(await backend.again(run, wish, { ...limits, signal }), telling);
    }),
  );
}
