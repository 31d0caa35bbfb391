/** The system packages that the tests need: installed on Debian as root, named everywhere else. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Alternatives for one need are separated by a bar; newer Debian releases renamed some. */
const needs = [
  'chromium',
  'xvfb',
  'xauth',
  'dbus',
  'dbus-x11',
  'gnome-keyring',
  'libsecret-1-0',
  'openbox',
  'dunst',
  'trayer',
  'fonts-dejavu-core',
  'libnss3',
  'libgtk-3-0|libgtk-3-0t64',
  'libasound2|libasound2t64',
  'libatk-bridge2.0-0|libatk-bridge2.0-0t64',
  'libgbm1',
  'libdrm2',
  'libxkbcommon0',
  'libnotify4',
  'openssl',
  'strace',
  'faketime',
  'bubblewrap',
  'ripgrep',
  'git',
];

const output = (file, args) => spawnSync(file, args, { encoding: 'utf8' });

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
  say(`Installing system packages: ${missing.join(' ').replaceAll('|', ' or ')} ...`);
  spawnSync('apt-get', ['update', '-qq'], quiet);
  const names = missing.map((need) => need.split('|').find(available) ?? need.split('|')[0]);
  return (
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], quiet).status === 0
  );
}

const missingOf = (installed) => needs.filter((need) => !need.split('|').some((name) => installed.has(name)));

/** What is still missing afterwards, empty where all is there; on other systems null: nobody can tell. */
export function ensureSystemPackages(say) {
  if (!existsSync('/etc/debian_version')) {
    say(`The tests with a window need, by their Debian names: ${needs.join(' ').replaceAll('|', ' or ')}`);
    return null;
  }
  const missing = missingOf(installedPackages());
  if (missing.length === 0) return [];
  if (process.getuid?.() !== 0) {
    say(
      `Missing system packages; as root: apt-get install ${missing.map((need) => need.split('|')[0]).join(' ')}`,
    );
    return missing;
  }
  if (!install(missing, say))
    say('Installing the system packages failed; suites that need them will say so.');
  return missingOf(installedPackages());
}
