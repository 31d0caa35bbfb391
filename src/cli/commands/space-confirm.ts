import { askYes, CommandFailure, canAsk, usageError } from '../terminal.ts';

export interface SpaceFlags {
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Confirms a change that other people notice and that cannot be undone; `--yes` skips the prompt. */
export async function confirmed(what: string, { yes }: SpaceFlags): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw usageError(what, 'Add --yes to say that you mean it.');
  if (await askYes(`${what} Go on?`)) return;
  throw new CommandFailure({ code: 'cancelled', message: 'Nothing was changed.' });
}
