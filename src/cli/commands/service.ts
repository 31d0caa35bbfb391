import { install, lingerCommand, remove, serviceOf } from '../../host/login-service/login-service.ts';
import { dataFolder } from '../home.ts';
import { CommandFailure, exitFailed, exitOk, show } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

function file() {
  const found = serviceOf(dataFolder(process.env));
  if (!found.ok) throw new CommandFailure(found.error);
  return found.value;
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

function headless(): string[] {
  const linger = lingerCommand();
  return linger === '' ? [] : ['Does it have to run while you are not logged in? Then also:', `  ${linger}`];
}

export async function runServiceInstall(
  _args: readonly string[],
  flags: Json & { print?: boolean; start: boolean },
): Promise<number> {
  const service = file();
  if (flags.print) {
    show(flags.json === true, { path: service.path, text: service.text }, service.text.trimEnd());
    return exitOk;
  }
  const installed = await install(service, flags.start);
  if (!installed.ok) throw new CommandFailure(installed.error);
  const { path, done, left, notes } = installed.value;
  const said = done
    ? [`Kennel runs as a service now, and starts with your login. (${path})`, ...headless()]
    : [`Wrote ${path}.`, ...indented(notes), 'To start it:', ...indented(left), ...headless()];
  said.push('With a passphrase it starts locked: run "kennel unlock" after each start.');
  show(flags.json === true, installed.value, said.join('\n'));
  return done || !flags.start ? exitOk : exitFailed;
}

export async function runServiceRemove(_args: readonly string[], flags: Json): Promise<number> {
  const removed = await remove(file());
  if (!removed.ok) throw new CommandFailure(removed.error);
  if (!removed.value) {
    show(flags.json === true, { removed: false }, 'There is no such service; nothing was changed.');
    return exitOk;
  }
  const { path, done, notes } = removed.value;
  const said = done
    ? 'Stopped and removed the service.'
    : 'Removed the service; it could not be told to stop.';
  show(
    flags.json === true,
    { removed: true, ...removed.value },
    [`${said} (${path})`, ...indented(notes)].join('\n'),
  );
  return exitOk;
}
