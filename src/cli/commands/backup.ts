import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataFolder } from '../../platform/data-folder.ts';
import { defineCommand } from '../command.ts';
import { withHost } from '../host-call.ts';
import { progress } from '../progress.ts';
import { askYes, CommandFailure, canAsk, exitOk, show, usageError } from '../terminal.ts';
import { utcMinute } from '../when.ts';

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
    const keychain = `It opens only where the keychain "${vault.backend}" has this folder's key.`;
    const note = vault.kind === 'keychain' ? `\n${keychain}` : '';
    show(
      flags.json === true,
      made,
      `Backed up ${made.files} files, ${mib(made.bytes)}, to ${made.path}.${note}`,
    );
    return exitOk;
  });
}

async function runRestore(args: readonly string[], flags: Json & { yes?: boolean }): Promise<number> {
  const from = resolve(args[0] ?? '');
  const home = dataFolder(process.env);
  if (!flags.yes) {
    if (!canAsk())
      throw usageError('Kennel can ask only in a terminal.', 'Add --yes to say that you mean it.');
    if (!(await askYes(`This puts ${from} in the place of ${home}, which steps aside. Go on?`)))
      throw new CommandFailure({ code: 'cancelled', message: 'Nothing was changed.' });
  }
  const { restoreHome } = await import('../../host/backup/restore-home.ts');
  const restored = await progress.during(restoreHome(from, home, Date.now()));
  if (!restored.ok) throw new CommandFailure(restored.error);
  const { files, madeAt, aside } = restored.value;
  const lines = [`Restored ${files} files as they were on ${utcMinute(madeAt)}.`];
  if (aside) lines.push(`What was there before is in ${aside}; delete it when you are sure.`);
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
