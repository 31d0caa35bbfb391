import { fail } from '../../contract/fail.ts';
import { err } from '../../contract/result.ts';
import type { HostTools } from '../../core/runtimes/harness-ports.ts';

const noTurn = fail('conflict', 'programs.noTurn');

/** The tools of whichever turn runs when they are used. */
export const turnTools = (current: () => HostTools | null): HostTools => ({
  list: async () => (await current()?.list()) ?? err(noTurn),
  call: async (call) => (await current()?.call(call)) ?? err(noTurn),
  cancel: (callId) => current()?.cancel(callId),
});
