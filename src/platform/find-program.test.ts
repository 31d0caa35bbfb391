import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findProgram, isExecutable, pathFolders } from './find-program.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kennel-programs-'));
  made.push(path);
  return path;
}

it('findProgram returns the first executable file and skips folders and other files', () => {
  const [first, second] = [folder(), folder()];
  mkdirSync(join(first, 'tool'));
  writeFileSync(join(first, 'plain'), '');
  chmodSync(join(first, 'plain'), 0o600);
  for (const name of ['tool', 'plain']) {
    writeFileSync(join(second, name), '#!/bin/sh\n');
    chmodSync(join(second, name), 0o755);
  }
  expect(findProgram('tool', [first, second])).toBe(join(second, 'tool'));
  expect(findProgram('plain', [first, second])).toBe(join(second, 'plain'));
  expect(findProgram('absent', [first, second])).toBeNull();
  expect(isExecutable(first)).toBe(false);
});

it('pathFolders ignores relative folders', () => {
  expect(pathFolders('relative:/usr/bin::/bin')).toEqual(['/usr/bin', '/bin']);
});
