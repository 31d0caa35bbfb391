import { withHost } from '../session.ts';
import { CommandFailure, errorExitCode, exitOk, show } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

/** Only for `refresh-ping` (spec §8). */
const exitTimedOut = 3;

export async function runResetPrimer(args: readonly string[], flags: Json): Promise<number> {
  return withHost('files', async ({ call }) => {
    const reset = await call('primer.reset', { agents: args.filter((ref) => ref !== '') });
    const kept = reset.kept === '' ? '' : `\nWhat was there before is in ${reset.kept}.`;
    const text = reset.changed
      ? `The primer that all agents read is Kennel's own again, from their next turn on. (${reset.path})${kept}`
      : "The primer is Kennel's own already; nothing was changed.";
    show(flags.json === true, reset, text);
    return exitOk;
  });
}

export async function runRefreshPing(args: readonly string[], flags: Json): Promise<number> {
  return withHost('files', async ({ client }) => {
    const renewed = await client.call('agents.refreshLogin', { agent: args[0] ?? '' });
    if (!renewed.ok) {
      const { error } = renewed;
      throw new CommandFailure(error, error.code === 'timeout' ? exitTimedOut : errorExitCode(error));
    }
    show(flags.json === true, renewed.value, `Renewed the login to ${renewed.value.provider}.`);
    return exitOk;
  });
}

/** A failed check exits with 0, so that scripts on machines without a network continue. */
export async function runCheckUpdate(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('look', async ({ call }) => {
    const found = await call('host.checkUpdate', {});
    const { current, latest, newer, page, note } = found;
    const lines = [`This is Kennel ${current}.`];
    if (newer) lines.push(`${latest} is there${page === '' ? '' : `: ${page}`}.`);
    else lines.push(latest === null ? note : `It is the newest (${latest}).`);
    show(flags.json === true, found, lines.join('\n'));
    return exitOk;
  });
}
