/**
 * Detects privilege escalation in any spelling: by path, in quotes, behind wrappers, inside `sh -c` strings.
 * It prefers to refuse a harmless line over missing one; programs that only print or search their arguments
 * are excepted.
 */
import { splitShell } from './split-shell.ts';

/** Set-user-id programs, and others whose purpose is another identity, namespace or capability. */
const escalators = new Set(
  (
    'sudo sudoedit sudo-rs doas doasedit su su-rs su-exec gosu pkexec run0 runuser newgrp sg setpriv capsh setcap nsenter ' +
    'chroot machinectl systemd-run fusermount fusermount3 newuidmap newgidmap polkit-agent-helper-1 unix_chkpwd ' +
    'dbus-daemon-launch-helper visudo vipw calife sux ksu kdesu kdesudo gksu gksudo beesu runas gsudo'
  ).split(' '),
);
/** Like `escalators`, but also plain words: they count only as the name of a program. */
const wordlike = new Set('mount umount passwd chsh chfn chage gpasswd super please'.split(' '));
/** Programs whose arguments name another program. */
const wrappers = new Set(
  'env nice nohup setsid timeout stdbuf xargs ionice chrt time command exec busybox toybox watch parallel find strace'.split(
    ' ',
  ),
);

/** Their arguments are data. `git` runs an argument only after an exclamation mark. */
const inert = new Set(
  (
    'echo printf grep egrep fgrep rg ag cat ls man whatis apropos which whereis wc head tail git pwd df du mkdir touch cp ' +
    'mv rm rmdir stat file basename dirname sort uniq diff cut tr test ['
  ).split(' '),
);
const runsOthers = /^-(?:exec|execdir|ok|okdir)$/;
const isInert = (name: string, rest: readonly string[]): boolean =>
  inert.has(name) || (name === 'find' && !rest.some((word) => runsOthers.test(word)));

/** Names long and rare enough to search for inside other text, such as code for an interpreter. */
const telling =
  /(?:^|[^\w.-])(?:sudo|sudoedit|doas|pkexec|run0|runuser|gosu|su-exec|gksudo|kdesudo|gsudo)(?:$|[^\w.-])/i;

const baseName = (word: string): string =>
  (word.split(/[/\\]/).at(-1) ?? '').toLowerCase().replace(/[.](exe|com|bat|cmd)$/, '');

const isEscalator = (word: string): boolean => escalators.has(baseName(word));

/** `chmod u+s`, `chmod 4755`, `install -m 4755 …`. */
function setsSetuid(argv: readonly string[]): boolean {
  const name = baseName(argv[0] ?? '');
  if (name !== 'chmod' && name !== 'install' && name !== 'mkdir') return false;
  return argv
    .slice(1)
    .some((word) =>
      /^(?:-m|--mode=)?(?:[0-7]?[2-7][0-7]{3}|(?:[ugoa]*[+=-][rwxXst]*,)*[ugoa]*[+=][rwxXt]*s[rwxXst]*.*)$/.test(
        word,
      ),
    );
}

/** An argument that is a command line itself, as after `sh -c`, `env -S`, `watch`, `script -c`. */
function nestedEscalation(word: string, depth: number): boolean {
  if (telling.test(word)) return true;
  const code = word.replace(/^[^=\s]*=/, '');
  if (!/[\s;|&$`(]/.test(code) || depth > 4) return false;
  const split = splitShell(code);
  return (
    split.understood &&
    split.commands.some(({ words }) =>
      escalates(
        words.map(({ text }) => text),
        depth + 1,
      ),
    )
  );
}

function escalates(argv: readonly string[], depth: number): boolean {
  const [name = '', ...rest] = argv;
  if (isEscalator(name) || wordlike.has(baseName(name)) || setsSetuid(argv)) return true;
  if (isInert(baseName(name), rest)) return rest.some((word) => /(?:^|=)!/.test(word) && telling.test(word));
  // After wrappers (env, xargs, nice, timeout, busybox, find -exec …) the program is a later word.
  const wraps = wrappers.has(baseName(name));
  const wrapped = rest.some(
    (word, index) =>
      isEscalator(word) || (wraps && wordlike.has(baseName(word))) || setsSetuid(rest.slice(index)),
  );
  return wrapped || rest.some((word) => nestedEscalation(word, depth));
}

/** Checks one command whose words are known. */
export const isEscalation = (argv: readonly string[]): boolean => escalates(argv, 0);

/**
 * Checks a whole command line. `unclear`: the program name is known only at run time, or the line cannot be
 * split; a caller without an OS sandbox that forbids new privileges must refuse it.
 */
export function escalationIn(line: string): 'none' | 'escalation' | 'unclear' {
  const split = splitShell(line);
  if (!split.understood) {
    const bare = line.replace(/["'\\]/g, '');
    const words = bare.split(/[\s;&|()<>`${}=]+/);
    return words.some(isEscalator) ? 'escalation' : 'unclear';
  }
  const { commands } = split;
  const gives = commands.some(
    ({ words, assignments }) =>
      isEscalation(words.map(({ text }) => text)) ||
      assignments.some((one) => telling.test(one) || isEscalator(one.slice(one.indexOf('=') + 1))),
  );
  if (gives) return 'escalation';
  return commands.some(({ words }) => words[0]?.dynamic === true) ? 'unclear' : 'none';
}
