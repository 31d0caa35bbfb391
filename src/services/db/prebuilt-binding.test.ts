import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { prebuiltBinding } from './prebuilt-binding.ts';

let folder: string;
eachTestInFolder('kennel-prebuilt-', (made) => {
  folder = made;
});

/** Writes a fake executable that starts with `head`. */
function program(head: string): string {
  const file = path.join(folder, 'node');
  writeFileSync(file, Buffer.from(head, 'latin1'));
  return file;
}
const elf = (loader: string): string =>
  program(`\x7fELF\x02\x01${'\0'.repeat(700)}${loader}\0${'x'.repeat(9000)}`);

describe('Prebuilt SQLite binding', () => {
  it.runIf(['x64', 'arm64'].includes(process.arch))('is the glibc build if the executable uses glibc', () => {
    for (const loader of [
      '/lib64/ld-linux-x86-64.so.2',
      '/lib/ld-linux-aarch64.so.1',
      '/nix/store/a/ld-linux.so.2',
    ]) {
      const found = prebuiltBinding(elf(loader), 'linux');
      expect(found?.endsWith(path.join('prebuilds', `linux-${process.arch}.node`)), loader).toBe(true);
    }
  });

  it.runIf(process.platform === 'linux')('is the same one that the package would choose', () => {
    const require = createRequire(import.meta.url);
    const binding: unknown = require(
      path.join(path.dirname(require.resolve('better-sqlite3-multiple-ciphers')), 'binding.js'),
    );
    const { getPrebuildPath } = binding as { getPrebuildPath(): string | null };
    const found = prebuiltBinding();
    if (found !== null) expect(found).toBe(getPrebuildPath());
    const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
    expect(found !== null).toBe(Boolean(report.header.glibcVersionRuntime));
  });

  it.runIf(['x64', 'arm64'].includes(process.arch))(
    'is the platform’s only build on macOS and Windows',
    () => {
      for (const system of ['darwin', 'win32'] as const)
        expect(path.basename(prebuiltBinding(path.join(folder, 'none'), system) ?? '')).toBe(
          `${system}-${process.arch}.node`,
        );
    },
  );

  it('is left to the package if the executable’s loader is unknown', () => {
    expect(prebuiltBinding(elf('/lib/ld-musl-x86_64.so.1'), 'linux')).toBeNull();
    expect(prebuiltBinding(elf(''), 'linux')).toBeNull();
    expect(prebuiltBinding(program('#!/lib64/ld-linux-x86-64.so.2\0'), 'linux')).toBeNull();
    expect(prebuiltBinding(program(''), 'linux')).toBeNull();
    expect(prebuiltBinding(path.join(folder, 'none'), 'linux')).toBeNull();
    expect(prebuiltBinding(elf('/lib64/ld-linux-x86-64.so.2'), 'freebsd')).toBeNull();
  });
});
