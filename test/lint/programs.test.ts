import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingOf, packagesOf, systemPackages } from '../../scripts/lib/debian-packages.mjs';
import { checkSuites, suites } from '../../scripts/lib/suites.mjs';
import { installed } from '../fakes/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Essential packages of every Debian, and programs of the project itself. */
const everywhere = [
  'sh',
  'bash',
  'cat',
  'chown',
  'cp',
  'grep',
  'ldd',
  'mkdir',
  'mkfifo',
  'mount',
  'rm',
  'sleep',
  'script',
  'tar',
]
  .concat(['nsenter', 'prlimit', 'setpriv', 'unshare'])
  .concat(['node', 'npm', 'npx']);

const listed = new Set([...everywhere, ...systemPackages.flatMap(({ programs }) => programs)]);

/**
 * Programs that a test file starts or requires: `spawn('git', …)`, `installed('strace')`,
 * `needs('faketime')`.
 */
function startedIn(text: string): string[] {
  const started = [...text.matchAll(/\b(?:spawn|execFile)(?:Sync)?\(\s*'([^'/]+)'/g)].map(([, name]) => name);
  const asked = [...text.matchAll(/\b(?:installed|needs)\(([^)]*)\)/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/'([^']+)'/g)].map(([, name]) => name),
  );
  return [...started, ...asked].filter((name) => name !== undefined);
}

const testFiles = execFileSync('git', ['ls-files', 'src', 'test', 'e2e'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /^(test|e2e)\/.*[.](ts|mjs)$|[.]test[.]ts$/.test(file) && !file.startsWith('test/lint/'));

describe('the programs that tests start', () => {
  it('are found in the text of a test', () => {
    expect(startedIn("spawn('git', []); needs('a', 'b');\nexecFileSync(installed('strace'), [])")).toEqual([
      'git',
      'a',
      'b',
      'strace',
    ]);
  });

  it('are in system-packages.json, so that the command that runs the tests installs or names them', () => {
    const unlisted = testFiles.flatMap((file) =>
      startedIn(readFileSync(path.join(root, file), 'utf8'))
        .filter((name) => !listed.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(unlisted).toEqual([]);
  });

  it('fail a test by name where they are missing, with the package that has them', () => {
    expect(installed('sh')).toBe('sh');
    expect(() => installed('secret-tool', '/nowhere')).toThrow(
      'secret-tool is not installed (Debian: apt-get install libsecret-tools)',
    );
    expect(() => installed('no-such-program', '/nowhere')).toThrow('no-such-program is not installed');
  });
});

describe('the system packages', () => {
  it('are those of suites that exist', () => {
    const names = suites.map(({ name }) => name);
    expect(systemPackages.flatMap((each) => each.suites).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('that `npm run check` needs are those of its suites, ripgrep among them, and no browser', () => {
    const names = packagesOf(checkSuites).map((each) => each.package);
    expect(names).toContain('ripgrep');
    expect(names).toContain('strace');
    expect(names).not.toContain('chromium');
  });

  it('are missing where no alternative of their name is installed', () => {
    const packages = [
      { package: 'git', programs: ['git'], suites: ['unit'] },
      { package: 'libgtk-3-0|libgtk-3-0t64', programs: [], suites: ['electron'] },
    ];
    expect(missingOf(packages, new Set(['git', 'libgtk-3-0t64']))).toEqual([]);
    expect(missingOf(packages, new Set(['strace']))).toEqual(packages);
  });
});
