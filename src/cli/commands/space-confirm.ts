import { cliMessage } from '../../language/cli-message.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { copy } from '../copy.ts';
import { askYes, canAsk, commandFailure, usageError } from '../terminal.ts';

export interface SpaceFlags {
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Confirms a change that other people notice and that cannot be undone; `--yes` skips the prompt. */
export async function confirmed(what: HostMessage, { yes }: SpaceFlags): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw usageError(what, cliMessage('cliTerminal.addYes'));
  if (await askYes(copy('cliSpaces.goOn', { what }))) return;
  throw commandFailure('cancelled', 'cliTerminal.nothingChanged');
}
