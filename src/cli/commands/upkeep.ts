import { defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { CommandFailure, errorExitCode, exitOk, show } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

/** Only for `refresh-ping` (spec §8). */
const exitTimedOut = 3;

async function runResetPrimer(args: readonly string[], flags: Json): Promise<number> {
  return withHost('files', async ({ call }) => {
    const reset = await call('primer.reset', { agents: args.filter((ref) => ref !== '') });
    const kept = reset.kept === '' ? '' : `\n${copy('cliUpkeep.kept', { kept: reset.kept })}`;
    const text = reset.changed
      ? `${copy('cliUpkeep.primerRestored', { path: reset.path })}${kept}`
      : copy('cliUpkeep.ownPrimer');
    show(flags.json === true, reset, text);
    return exitOk;
  });
}

async function runRefreshPing(args: readonly string[], flags: Json): Promise<number> {
  return withHost('files', async ({ client }) => {
    const renewed = await client.call('agents.refreshLogin', { agent: args[0] ?? '' });
    if (!renewed.ok) {
      const { error } = renewed;
      throw new CommandFailure(error, error.code === 'timeout' ? exitTimedOut : errorExitCode(error));
    }
    show(
      flags.json === true,
      renewed.value,
      copy('cliUpkeep.loginRenewed', { provider: renewed.value.provider }),
    );
    return exitOk;
  });
}

/** A failed check exits with 0, so that scripts on machines without a network continue. */
async function runCheckUpdate(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('look', async ({ call }) => {
    const found = await call('host.checkUpdate', {});
    const { current, latest, newer, page, note } = found;
    const lines = [copy('cliUpkeep.thisIs', { current })];
    if (latest === null) lines.push(shown(note));
    else if (!newer) lines.push(copy('cliUpkeep.newest', { latest }));
    else if (page === '') lines.push(copy('cliUpkeep.newer', { latest }));
    else lines.push(copy('cliUpkeep.newerAt', { latest, page }));
    show(flags.json === true, found, lines.join('\n'));
    return exitOk;
  });
}

export const resetPrimerCommand = defineCommand({
  verb: 'reset-primer',
  args: '[agents...]',
  examples: ['agent reset-primer', 'agent reset-primer guide', 'agent reset-primer --json'],
  run: runResetPrimer,
});

export const refreshPingCommand = defineCommand({
  verb: 'refresh-ping',
  args: '<agent>',
  examples: ['agent refresh-ping guide', 'agent refresh-ping guide --json', 'auth status'],
  run: runRefreshPing,
});

export const checkUpdateCommand = defineCommand({
  verb: '',
  progress: 'cliProgress.lookingForNewerVersion',
  examples: ['check-update', 'check-update --json', "check-update --json | jq '.newer'"],
  run: runCheckUpdate,
});
