import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'kennel-setup-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the project whose node_modules is a link to another folder and older than its lock file. */
function linkedCopy(): { copy: string; others: string } {
  const [copy, others] = [path.join(folder, 'copy'), path.join(folder, 'others')];
  cpSync(path.join(root, 'scripts'), path.join(copy, 'scripts'), { recursive: true });
  mkdirSync(path.join(others, 'some-package'), { recursive: true });
  symlinkSync(others, path.join(copy, 'node_modules'));
  const lock = { name: 'copy', version: '1.0.0', lockfileVersion: 3, requires: true, packages: {} };
  writeFileSync(path.join(copy, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(path.join(copy, 'package.json'), '{"name":"copy","version":"1.0.0"}');
  return { copy, others };
}

describe('the set-up of dependencies', () => {
  it('installs nothing through a link: npm would empty the folder that it leads to', () => {
    const { copy, others } = linkedCopy();
    const ask = `import('./scripts/lib/setup.mjs').then(({ ensureDependencies }) => ensureDependencies(console.log))`;
    const { stdout, status } = spawnSync(process.execPath, ['-e', ask], { cwd: copy, encoding: 'utf8' });
    expect(stdout).toContain('node_modules is a link to another folder and is used as it is');
    expect(status).toBe(0);
    expect(existsSync(path.join(others, 'some-package'))).toBe(true);
  });
});
