/**
 * System packages that suites need (`system-packages.json`): installed on Debian as root, only named
 * elsewhere.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * `package`: a bar separates alternatives, because newer Debian releases renamed some.
 * @type {readonly { package: string, programs: readonly string[], suites: readonly string[] }[]}
 */
export const systemPackages = JSON.parse(
  readFileSync(new URL('system-packages.json', import.meta.url), 'utf8'),
);

export const packagesOf = (suites) =>
  systemPackages.filter((each) => each.suites.some((suite) => suites.includes(suite)));

/** Packages without any installed alternative. */
export const missingOf = (packages, installed) =>
  packages.filter((each) => !each.package.split('|').some((name) => installed.has(name)));

const output = (file, args) => spawnSync(file, args, { encoding: 'utf8' });
const firstNames = (packages) => packages.map((each) => each.package.split('|')[0]).join(' ');

function installedPackages() {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query has placeholders of the same look
  const { stdout = '' } = output('dpkg-query', ['-W', '-f', '${db:Status-Abbrev} ${Package}\n']);
  const lines = stdout.split('\n').filter((line) => line.startsWith('ii'));
  return new Set(lines.map((line) => line.split(' ').pop()));
}

const available = (name) => /^Package:/m.test(output('apt-cache', ['show', name]).stdout ?? '');

function install(missing, say) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  say(`Installing system packages: ${firstNames(missing)} ...`);
  spawnSync('apt-get', ['update', '-qq'], quiet);
  const names = missing.map((each) => {
    const alternatives = each.package.split('|');
    return alternatives.find(available) ?? alternatives[0];
  });
  return (
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], quiet).status === 0
  );
}

/**
 * Installs packages of these suites and returns those still missing; none on a system without Debian's
 * package list.
 */
export function ensureSystemPackages(suites, say) {
  const needed = packagesOf(suites);
  if (needed.length === 0) return [];
  if (!existsSync('/etc/debian_version')) {
    say(`The tests need these programs, by their Debian package names: ${firstNames(needed)}`);
    return [];
  }
  const missing = missingOf(needed, installedPackages());
  if (missing.length === 0) return [];
  if (process.getuid?.() !== 0) {
    say(`Missing system packages. Run as root: apt-get install ${firstNames(missing)}`);
    return missing;
  }
  if (!install(missing, say))
    say('Installing the system packages failed. Tests that need them fail by name.');
  return missingOf(needed, installedPackages());
}
