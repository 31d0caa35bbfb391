import { describe, expect, it } from 'vitest';
import { innerCommands } from './inner-commands.ts';
import { splitShell } from './split-shell.ts';

const inner = (line: string) => {
  const split = splitShell(line);
  if (!split.understood) throw new Error(split.reason);
  const found = split.commands.map(({ words }) => innerCommands(words.map(({ text }) => text)));
  return {
    commands: found.flatMap(({ commands }) => commands.map((argv) => argv.join(' '))),
    opaque: found.some(({ opaque }) => opaque),
  };
};

describe('innerCommands', () => {
  it.each([
    ["sh -c 'rm x'", 'rm x'],
    ["bash -lc 'cd a && rm x'", 'rm x'],
    ["bash -o errexit -c 'rm x'", 'rm x'],
    ['env -i A=1 rm x', 'rm x'],
    ["env sh -c 'ls; rm x'", 'rm x'],
    ['sh -c \'sh -c "rm x"\'', 'rm x'],
    ["find . -exec sh -c 'rm x' +", 'rm x'],
    ['find . -exec rm x +', 'rm x +'],
    ['xargs -0 rm x', 'rm x'],
    ["env -S 'rm x'", 'rm x'],
    ["watch 'ls; rm x'", 'rm x'],
    ['flock f rm x', 'rm x'],
    ['busybox rm x', 'rm x'],
    ['npm exec -- rm x', 'rm x'],
    ['uv run rm x', 'rm x'],
    ['builtin command rm x', 'rm x'],
  ])('T9: %s starts %s', (line, expected) => expect(inner(line).commands).toContain(expected));

  it.each([
    "python -c 'x'",
    "/usr/bin/python3.12 -Ic 'x'",
    'python3',
    'python3 -',
    "node -e 'x'",
    "node --eval='x'",
    "node -pe 'x'",
    "perl -e 'x'",
    "perl -lane 'x' f",
    "ruby -e 'x'",
    "php -r 'x'",
    "lua5.4 -e 'x'",
    'deno eval x',
    'sh',
    'bash -s',
    "sh -c '$0 x' rm",
    "sh -c 'eval x'",
    "sh -c 'f() { rm x; }'",
    "env python3 -c 'x'",
    "find . -exec perl -e 'x' {} +",
    'xargs -I{} {}',
    'xargs -I % % x',
    'xargs env',
    'xargs -n1 sh',
    "command eval 'x'",
    'awk \'BEGIN { system("rm x") }\'',
    'awk \'{ print | "sh" }\' f',
    "sed '1e rm x' f",
    "sed 's/a/rm x/e' f",
    "git -c alias.x='!rm y' x",
    "git rebase --exec 'rm x' main",
    'git bisect run rm x',
    "tar --to-command='rm x' -xf a",
    'tar -cf a b --checkpoint=1 --checkpoint-action=exec=x',
    "make --eval='x:; rm y' x",
    "vim -c ':!rm x'",
    "flock f -c 'r$y x'",
  ])('T9: nobody can tell from the words what %s starts', (line) => expect(inner(line).opaque).toBe(true));

  it.each([
    'ls -la',
    'echo python -c x',
    'python3 build.py --fast',
    'python3 -m pytest tests',
    'python3 --version',
    'node server.js',
    'sh build.sh',
    'perl script.pl',
    "awk '{ print $1 }' f",
    "sed -n '1,5p' f",
    "sed 's/one/the/g' f",
    'sed -i s/here/there/ f',
    'git commit -m "run sh -c"',
    'git log --oneline',
    'tar -xzf a.tar.gz',
    'make test',
    'find . -name x -delete',
    'xargs -I{} cp {} dir',
    'env A=1 make test',
    'npm run build',
  ])('judges %s by its words', (line) => expect(inner(line).opaque).toBe(false));

  it('T25: stays fast for a hostile line', () => {
    const began = performance.now();
    expect(innerCommands(['env', ...Array.from({ length: 399 }, () => 'sh'), '-c', 'x']).opaque).toBe(true);
    expect(innerCommands(['env', ...Array.from({ length: 390 }, () => 'sh'), '-c', 'x']).opaque).toBe(true);
    expect(innerCommands(['xargs', ...Array.from({ length: 50_000 }, () => 'env')]).opaque).toBe(true);
    const nested = Array.from({ length: 14 }).reduce<string>((text) => `sh -c ${JSON.stringify(text)}`, 'x');
    expect(innerCommands(['sh', '-c', nested]).opaque).toBe(false);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
