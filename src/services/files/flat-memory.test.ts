import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const child = path.join(import.meta.dirname, '../../../test/children/file-memory.ts');

test('Ten files of 8 MiB, sent and received, need the memory of only a few', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child]);
  const { size, grown } = JSON.parse(stdout) as { size: number; grown: number };
  expect(grown).toBeLessThan(6 * size);
}, 60_000);
