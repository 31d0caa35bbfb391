import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CommandFailure } from './terminal.ts';

export function editFile(path: string): string {
  const editor =
    process.env.VISUAL || process.env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
  // Runs in a shell, because the variable may contain flags, e.g. `code --wait`.
  const run = spawnSync(`${editor} "${path}"`, { stdio: 'inherit', shell: true });
  if (run.status === 0) return readFileSync(path, 'utf8');
  throw new CommandFailure({
    code: 'cancelled',
    message: `The editor (${editor}) failed; nothing was changed.`,
  });
}
