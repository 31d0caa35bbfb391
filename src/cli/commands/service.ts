import { dataFolder } from '../../platform/data-folder.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { CommandFailure, exitFailed, exitOk, show } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

async function openService() {
  const { install, lingerCommand, remove, serviceOf } = await import('../../host/os-service/os-service.ts');
  const found = serviceOf(dataFolder(process.env));
  if (!found.ok) throw new CommandFailure(found.error);
  return { service: found.value, install, lingerCommand, remove };
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

function headless(linger: string): string[] {
  return linger === '' ? [] : [copy('cliService.headless'), `  ${linger}`];
}

async function runServiceInstall(
  _args: readonly string[],
  flags: Json & { print?: boolean; start: boolean },
): Promise<number> {
  const { service, install, lingerCommand } = await openService();
  if (flags.print) {
    show(flags.json === true, { path: service.path, text: service.text }, service.text.trimEnd());
    return exitOk;
  }
  const installed = await install(service, flags.start);
  if (!installed.ok) throw new CommandFailure(installed.error);
  const { path, done, left, notes } = installed.value;
  const said = done
    ? [copy('cliService.installed', { path }), ...headless(lingerCommand())]
    : [
        copy('cliService.wrote', { path }),
        ...indented(notes),
        copy('cliService.toStart'),
        ...indented(left),
        ...headless(lingerCommand()),
      ];
  said.push(copy('cliService.locked'));
  show(flags.json === true, installed.value, said.join('\n'));
  return done || !flags.start ? exitOk : exitFailed;
}

async function runServiceRemove(_args: readonly string[], flags: Json): Promise<number> {
  const { service, remove } = await openService();
  const removed = await remove(service);
  if (!removed.ok) throw new CommandFailure(removed.error);
  if (!removed.value) {
    show(flags.json === true, { removed: false }, copy('cliService.none'));
    return exitOk;
  }
  const { path, done, notes } = removed.value;
  const said = done ? copy('cliService.removed') : copy('cliService.cannotStop');
  show(
    flags.json === true,
    { removed: true, ...removed.value },
    [`${said} (${path})`, ...indented(notes)].join('\n'),
  );
  return exitOk;
}

const installService = defineCommand({
  verb: 'install',
  options: [{ flags: '--print' }, { flags: '--no-start' }],
  examples: ['service install', 'service install --print', 'service install --no-start'],
  run: runServiceInstall,
});

const removeService = defineCommand({
  verb: 'remove',
  examples: ['service remove', 'service remove --json', 'start'],
  run: runServiceRemove,
});

export const serviceCommands: readonly CommandSpec[] = [installService, removeService];
