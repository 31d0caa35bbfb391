import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataFolder } from '../../platform/data-folder.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { progress } from '../progress.ts';
import { askYes, CommandFailure, canAsk, commandFailure, exitOk, show } from '../terminal.ts';
import { shownMinute } from '../when.ts';

interface Json {
  readonly json?: boolean;
}

const stamp = (): string => new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

const mib = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;

async function runBackup(args: readonly string[], flags: Json): Promise<number> {
  const path = args[0] ? resolve(args[0]) : join(homedir(), `kennel-backup-${stamp()}`);
  return withHost('files', async ({ call }) => {
    const made = await call('backup.make', { path });
    const { vault } = await call('host.view', {});
    const { files, bytes, path: to } = made;
    const text = [copy('cliBackup.made', { files, size: mib(bytes), path: to })];
    if (vault.kind === 'keychain') text.push(copy('cliBackup.keychain', { backend: vault.backend }));
    show(flags.json === true, made, text.join('\n'));
    return exitOk;
  });
}

async function runRestore(args: readonly string[], flags: Json & { yes?: boolean }): Promise<number> {
  const from = resolve(args[0] ?? '');
  const home = dataFolder(process.env);
  if (!flags.yes) {
    if (!canAsk())
      throw commandFailure(
        'invalid_input',
        'cliTerminal.askOnlyInTerminal',
        {},
        { help: 'cliTerminal.addYes' },
      );
    if (!(await askYes(copy('cliBackup.replaces', { from, home }))))
      throw commandFailure('cancelled', 'cliTerminal.nothingChanged');
  }
  const { restoreHome } = await import('../../host/backup/restore-home.ts');
  const restored = await progress.during(restoreHome(from, home, Date.now()));
  if (!restored.ok) throw new CommandFailure(restored.error);
  const { files, madeAt, aside } = restored.value;
  const lines = [copy('cliBackup.restored', { files, time: shownMinute(madeAt) })];
  if (aside) lines.push(copy('cliBackup.aside', { aside }));
  show(flags.json === true, restored.value, lines.join('\n'));
  return exitOk;
}

export const backupCommand = defineCommand({
  verb: '',
  args: '[folder]',
  progress: 'cliProgress.backingUp',
  examples: ['backup', 'backup /mnt/usb/kennel', "backup --json | jq -r '.path'"],
  run: runBackup,
});

export const restoreCommand = defineCommand({
  verb: '',
  args: '<folder>',
  progress: 'cliProgress.restoring',
  options: [{ flags: '--yes' }],
  examples: ['restore /mnt/usb/kennel', 'restore /mnt/usb/kennel --yes', 'stop'],
  run: runRestore,
});
