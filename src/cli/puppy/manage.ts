import type { Again } from '../../library/puppy/standalone.ts';
import { show } from '../terminal.ts';
import { type BackendFlags, requiredWord } from './arguments.ts';
import { placesText, secondTimeText } from './fork-preview-text.ts';
import { type LimitFlags, limitsOf } from './limits.ts';
import { valueOrFail, withBackend } from './open-backend.ts';
import { untilSignal } from './signals.ts';
import { tell } from './tell.ts';

// `puppy cancel`, `puppy retry` and `puppy again`.

type Flags = BackendFlags & LimitFlags;

export async function runCancel(args: readonly string[], flags: BackendFlags): Promise<number> {
  const run = requiredWord(args, 'giveRun');
  const telling = { tool: flags.json === true, format: 'json' } as const;
  return withBackend(flags, async (backend) => tell(await backend.cancel(run), telling));
}

export async function runRetryRun(
  args: readonly string[],
  flags: Flags & { readonly from?: string | true },
): Promise<number> {
  const { from } = flags;
  const run = requiredWord(args, from === undefined ? 'giveFailedRun' : 'giveEndedRun');
  if (from === true || from === '') return listPlaces(flags, run);
  if (from !== undefined) return begunAgain(flags, run, { current: false, from });
  const limits = limitsOf(flags);
  const telling = { tool: flags.json === true, format: 'json' } as const;
  return untilSignal((signal) =>
    withBackend(flags, async (backend) => tell(await backend.retry(run, { ...limits, signal }), telling)),
  );
}

/** Repeats the pinned definition, or with `--current` the current file. */
export async function runRepeat(
  args: readonly string[],
  flags: Flags & { readonly current?: boolean },
): Promise<number> {
  const run = requiredWord(args, 'giveEndedRun');
  return begunAgain(flags, run, flags.current ? { current: true } : { current: false, from: null });
}

/**
 * Lists the steps to restart from, the gates and effects that would repeat, and why other steps are not
 * possible.
 */
function listPlaces(flags: BackendFlags, run: string): Promise<number> {
  return withBackend(flags, async (backend) => {
    const known = valueOrFail(await backend.places(run, null));
    show(flags.json === true, known, placesText(known, run));
    return 0;
  });
}

function begunAgain(flags: Flags, run: string, wish: Again): Promise<number> {
  const limits = limitsOf(flags);
  const telling = { tool: flags.json === true, format: 'json' } as const;
  return untilSignal((signal) =>
    withBackend(flags, async (backend) => {
      if (!telling.tool && !wish.current && wish.from !== null)
        process.stderr.write(secondTimeText(valueOrFail(await backend.places(run, wish.from))));
      return tell(await backend.again(run, wish, { ...limits, signal }), telling);
    }),
  );
}
