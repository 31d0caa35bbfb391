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
  summary: 'Start Kennel with your login, also without a display',
  options: [
    { flags: '--print', summary: 'only print what would be written' },
    { flags: '--no-start', summary: 'write it, but do not start it' },
  ],
  examples: [
    ['service install', 'Install and start the service'],
    ['service install --print', 'Print the file for systemd or launchd'],
    ['service install --no-start', 'Install it without starting it'],
  ],
  run: runServiceInstall,
});

const removeService = defineCommand({
  verb: 'remove',
  summary: 'Stop and remove the service',
  examples: [
    ['service remove', 'Stop and remove the service'],
    ['service remove --json', 'Print the result as JSON'],
    ['start', 'Run Kennel in a terminal instead'],
  ],
  run: runServiceRemove,
});

export const serviceCommands: readonly CommandSpec[] = [installService, removeService];
