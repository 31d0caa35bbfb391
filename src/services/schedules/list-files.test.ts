import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSeen } from './list-files.ts';

it('A watched file is read in full, and a pipe in its place does not block', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-list-'));
  try {
    const file = join(folder, 'a.txt');
    writeFileSync(file, 'hello');
    const { size, mtimeMs: mtime, ino: inode } = statSync(file);
    const digest = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
    expect(await readSeen(file, { size, mtime, inode })).toEqual({ size, mtime, inode, digest });
    rmSync(file);
    spawnSync('mkfifo', [file]);
    expect(await readSeen(file, { size, mtime, inode })).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
