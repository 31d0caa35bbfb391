import { describe, expect, it } from 'vitest';
import { escalationIn, isEscalation } from './escalation.ts';

describe('escalationIn', () => {
  it.each([
    'sudo ls',
    's"ud"o ls',
    'su\\do x',
    "$'\\x73udo' ls",
    '/usr/bin/sudo x',
    '../../bin/sudo x',
    'SUDO x',
    'sudo.exe x',
    'FOO=1 doas x',
    'env -i sudo x',
    'env -S "su -"',
    'bash -c "sudo ls"',
    'bash -c "cd /; su root"',
    'sh -c \'sh -c "su root"\'',
    'xargs -n1 su',
    'busybox su',
    'nice -n 5 timeout 3 pkexec x',
    'find . -exec sudo {} +',
    'echo a | sudo tee b',
    'echo $(sudo id)',
    'echo `sudo id`',
    'cat <(sudo id)',
    'chmod u+s x',
    'chmod +s x',
    'chmod g=rws d',
    'chmod 4755 x',
    'env chmod 6755 x',
    'install -m 4755 a b',
    'setcap cap_setuid+ep x',
    'python3 -c "import os; os.system(\'sudo x\')"',
    'git -c alias.x="!sudo ls" x',
    'cat <<E\nsudo x\nE',
    'mount /dev/sda1 /mnt',
    'runas /user:Administrator cmd',
    'x=sudo; $x ls',
    'x=su; $x',
    'alias s=sudo',
    'nice mount x',
    'for x in sudo; do $x id; done',
    'find . -name x -exec su {} \\;',
  ])('detects %s', (line) => expect(escalationIn(line)).toBe('escalation'));

  it.each([
    'ls -la',
    'echo sudo',
    'grep -rn sudo docs',
    'git commit -m "su and sudo are refused"',
    'man sudo',
    'chmod 755 x',
    'chmod 0644 x',
    'chmod 1777 d',
    'chmod a+rx scripts',
    'make test',
    'npm run start -- --user=me',
    'find . -name sudo',
    'getent passwd root',
    'npm run mount',
    'for i in 1 2; do echo $i; done',
    'mkdir mount',
    'rm -f su',
  ])('does not flag %s', (line) => expect(escalationIn(line)).toBe('none'));

  it.each(['$X ls', '$(echo su)do x', '{s,}udo x', 'f() { x; }', 'echo "'])('reports %s as unclear', (line) =>
    expect(escalationIn(line)).toBe('unclear'),
  );

  it('judges an argument list', () => {
    expect(isEscalation(['env', 'sudo', 'x'])).toBe(true);
    expect(isEscalation(['ls', '-l'])).toBe(false);
    expect(isEscalation([])).toBe(false);
  });
});
