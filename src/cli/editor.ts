import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandFailure } from './terminal.ts';

function editFile(path: string): string {
  const editor =
    process.env.VISUAL || process.env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
  // Runs in a shell, because the variable may contain flags, e.g. `code --wait`.
  const run = spawnSync(`${editor} "${path}"`, { stdio: 'inherit', shell: true });
  if (run.status === 0) return readFileSync(path, 'utf8');
  throw commandFailure('cancelled', 'cliTerminal.editorFailed', { editor });
}

/** Edits a temporary copy. Its file name tells editors the format. */
export function editText(fileName: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-edit-'));
  try {
    const copy = join(folder, fileName);
    writeFileSync(copy, text, { mode: 0o600 });
    return editFile(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
