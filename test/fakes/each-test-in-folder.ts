import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Gives each test of the file or block a folder of its own, and deletes it afterwards. */
export function eachTestInFolder(prefix: string, use: (folder: string) => void): void {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), prefix)));
    use(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}
