import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../../test/fakes/test-run.ts';
import { buildArgv } from './build-argv.ts';
import { parseCommand } from './parse-command.ts';
import { splitWords } from './word-splitting.ts';

const paths = { path: (text: string) => text, isPath: (text: string) => text.endsWith('.txt') };

/** Rebuilt command without git's settings, or the reason of the refusal. */
const built = (text: string): string => {
  const parsed = parseCommand(text);
  if (!parsed.ok) return `! ${parsed.error.reason}`;
  const argv = buildArgv(parsed.value, paths);
  return argv.filter((word, index) => word !== '-c' && argv[index - 1] !== '-c').join(' ');
};
const gitHead = 'git --no-pager --no-optional-locks --literal-pathspecs';
const logSafe = '--no-ext-diff --no-textconv --no-show-signature --no-mailmap --ignore-submodules=all';

describe('Words of a command line', () => {
  it.each([
    [`a 'b c' "d\\"e" f\\ g`, ['a', 'b c', 'd"e', 'f g']],
    [`x'y'"z" ''`, ['xyz', '']],
    [`rg "a$" b$`, ['rg', 'a$', 'b$']],
    [`"a\\nb" 'a\\nb'`, ['a\\nb', 'a\\nb']],
    ['find . ! -name x\\;', ['find', '.', '!', '-name', 'x;']],
    ['git show HEAD@{1} a#b', ['git', 'show', 'HEAD@{1}', 'a#b']],
  ])('%s is parsed to a safe argument list', (text, expected) => {
    const words = splitWords(text);
    expect(words.ok && words.value.map((word) => word.text)).toEqual(expected);
    expect(words.ok && words.value.some((word) => word.glob)).toBe(false);
  });

  it.each([
    ['ls; pwd', 'blocked_shell_operator'],
    ['ls|cat', 'blocked_shell_operator'],
    ['ls & ', 'blocked_shell_operator'],
    ['cat <x', 'blocked_shell_operator'],
    ['(ls)', 'blocked_shell_operator'],
    ['cat $HOME', 'blocked_shell_operator'],
    ['cat "$(x)"', 'blocked_shell_operator'],
    ['cat "`x`"', 'blocked_shell_operator'],
    ["cat $'a'", 'blocked_shell_operator'],
    ['cat ~/x', 'blocked_shell_operator'],
    ['ls # x', 'blocked_shell_operator'],
    ['ls\nrm x', 'blocked_shell_operator'],
    ["echo 'a\nb'", 'blocked_shell_operator'],
    ['ls\rrm', 'blocked_shell_operator'],
    ['cat a\0b', 'invalid_shell_syntax'],
    ['cat a\x1b[2K', 'invalid_shell_syntax'],
    ["cat 'a", 'invalid_shell_syntax'],
    ['cat "a', 'invalid_shell_syntax'],
    ['cat a\\', 'invalid_shell_syntax'],
    ['', 'missing_cmd'],
    ["''", 'missing_cmd'],
    [`cat ${'a'.repeat(2000)}`, 'command_too_long'],
  ])('%j is refused', (text, reason) => expect(built(text)).toBe(`! ${reason}`));
});

describe('Command grammar', () => {
  it.each([
    ['ls -la src', 'ls -l -a -- src'],
    ['head -5 a', 'head -n5 -- a'],
    ['tail -n +3 a', 'tail -n+3 -- a'],
    ['head --lines=2 a -- -b', 'head -n2 -- a -b'],
    ['wc -l a b', 'wc -l -- a b'],
    ['echo -n hi -x', 'echo -n hi -x'],
    ['cp -r a b', 'cp -r -- a b'],
    ['find -name *.ts', 'find -P . -name *.ts'],
    ["find a b -type f \\( -name '*.x' -o -newer c \\)", 'find -P a b -type f ( -name *.x -o -newer c )'],
    [
      'rg -nC3 foo$ src',
      'rg --no-config --no-follow --color=never --no-ignore-global --line-number --context=3 --regexp=foo$ -- src',
    ],
    ['rg -e -x a', 'rg --no-config --no-follow --color=never --no-ignore-global --regexp=-x -- a'],
    ['git status -s', `${gitHead} status --ignore-submodules=all --short --`],
    [
      'git diff HEAD a.txt',
      `${gitHead} diff --no-ext-diff --no-textconv --ignore-submodules=all HEAD -- a.txt`,
    ],
    ['git log -5 --format="%H %s"', `${gitHead} log ${logSafe} --max-count=5 --format=%H %s --`],
    ['git --no-pager show HEAD:a.txt -- b', `${gitHead} show ${logSafe} HEAD:a.txt -- b`],
    ["git branch --list 'x*'", `${gitHead} branch --no-column --list -- x*`],
  ])('%s is parsed to a safe argument list', (text, expected) => expect(built(text)).toBe(expected));

  it.each([
    ['LS', 'command_not_allowed'],
    ['/bin/ls', 'command_not_allowed'],
    ['ls\u00a0-la', 'command_not_allowed'],
    ['X=1 ls', 'command_not_allowed'],
    ['cat -', 'path_not_usable'],
    ["cat ''", 'path_not_usable'],
    ['rm *.txt', 'path_not_usable'],
    ['cat', 'operands_missing'],
    ['pwd x', 'operands_missing'],
    ['ls --recurs', 'option_not_allowed'],
    ['ls -lZ', 'option_not_allowed'],
    ['tail -f a', 'option_not_allowed'],
    ['wc --files0=x', 'option_not_allowed'],
    ['touch --ref=x y', 'option_not_allowed'],
    ['echo -e x', 'option_not_allowed'],
    ['head -n x a', 'option_not_allowed'],
    ['cp -vt x y', 'destination_option_not_allowed'],
    ['mv --target-dir=x y', 'destination_option_not_allowed'],
    ['cp -l a b', 'option_not_allowed'],
    ['find -L .', 'find_option_not_allowed'],
    ['find -- /etc', 'find_option_not_allowed'],
    ['find . -exec id \\;', 'find_option_not_allowed'],
    ['find . -fprintf x y', 'find_option_not_allowed'],
    ['find . -samefile x', 'find_option_not_allowed'],
    ['rg -nL x', 'rg_option_not_allowed'],
    ['rg --pre=x y', 'rg_option_not_allowed'],
    ['rg -f x', 'rg_option_not_allowed'],
    ['rg -z x', 'rg_option_not_allowed'],
    ['git', 'git_subcommand_missing'],
    ['git -c a=b status', 'git_option_not_allowed'],
    ['git gc', 'git_subcommand_not_allowed'],
    ['git constructor', 'git_subcommand_not_allowed'],
    ['git diff --no-index a b', 'git_option_not_allowed'],
    ['git diff --output=x', 'git_option_not_allowed'],
    ['git log --format=%G?', 'git_option_not_allowed'],
    ['git log --pretty=theirs', 'git_option_not_allowed'],
    ['git log -Ox', 'git_option_not_allowed'],
    ['git status --help', 'git_option_not_allowed'],
    ['git branch new', 'git_option_not_allowed'],
    ['git branch -D x', 'git_option_not_allowed'],
  ])('%s is refused', (text, reason) => expect(built(text)).toBe(`! ${reason}`));

  it('lists read and written paths', () => {
    const parsed = parseCommand('mv a b c');
    expect(parsed.ok && parsed.value).toMatchObject({ reads: [], writes: ['a', 'b', 'c'], risk: 'medium' });
    const found = parseCommand('find src -newer a');
    expect(found.ok && found.value).toMatchObject({ reads: ['src', 'a'], writes: [], risk: 'low' });
  });
});

/** Every word that may start with a dash before `--` in a started command. */
const known = new RegExp(
  [
    '^-[lahAR1rtSdFpPLnbsqvwcmkfbdE]$',
    '^-[nc][+-]?\\d+[a-zA-Z]*$',
    '^-d\\d+$',
    '^--?[a-z0-9][a-z0-9-]*(=.*)?$',
    '^-[SGURz].*$',
    '^-vv$',
  ].join('|'),
  's',
);
const dangerous =
  /^(-exec|-execdir|-ok|-okdir|-delete|-fprint|-fls|-files0|--files0|--pre|--pre-glob|--ignore-file|--file$|--file=|-f.|--follow|--output|--no-index|--ext-diff|--textconv|--show-signature|--target|--reference|--git-dir|--work-tree|--exec-path|--config-env|--help|--hostname-bin|--search-zip)/;

const names = [
  'ls',
  'cat',
  'head',
  'tail',
  'wc',
  'find',
  'rg',
  'git',
  'git log',
  'git diff',
  'git show',
  'git status',
];
const word = fc.oneof(
  fc.constantFrom(
    ...'-a -l -L -f -nL -vt -t -C3 -c -p -z --pre --pre=x --output=x --no-index --textconv --ext-diff -- - -exec -delete'.split(
      ' ',
    ),
    ...'-O3 -H --help --files0-from=x --follow --target-directory=x --ref=x -newer -name --format=%G --git-dir=x HEAD'.split(
      ' ',
    ),
  ),
  fc.string({ minLength: 1, maxLength: 6 }).map((text) => `-${text}`),
  fc.string({ minLength: 1, maxLength: 6 }).map((text) => `--${text}`),
  fc.string({ maxLength: 8 }),
);
/** Like the safe shell passes them to a program. */
const named = { ...paths, path: (text: string) => (text.startsWith('-') ? `./${text}` : text) };
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

it(`T9: a started command has only allowed options (seed ${seed})`, () => {
  let parsedCount = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...names, 'cp', 'mv', 'rm', 'touch', 'mkdir'),
      fc.array(word, { maxLength: 5 }),
      (name, words) => {
        const parsed = parseCommand([name, ...words.map(quoted)].join(' '));
        if (!parsed.ok) return;
        parsedCount += 1;
        const { value } = parsed;
        const patterns = new Set(
          value.operands.filter(({ kind }) => kind === 'expression').map(({ text }) => text),
        );
        const argv = buildArgv(value, named);
        const marker = argv.indexOf('--');
        for (const one of argv.slice(1, marker < 0 ? argv.length : marker)) {
          if (!one.startsWith('-')) continue;
          // The value of `-name` and similar options is data, whatever its content. `--follow` of git log
          // follows renames.
          if (patterns.has(one) || (name === 'git log' && one === '--follow')) continue;
          expect(one).toMatch(known);
          expect(dangerous.test(one) && !one.startsWith('--pretty')).toBe(false);
        }
      },
    ),
    { numRuns: 5_000 },
  );
  expect(parsedCount).toBeGreaterThan(50);
});

it(`Any text is parsed or refused without throwing (seed ${seed})`, () => {
  const commandish = fc.tuple(fc.constantFrom(...names, ''), fc.string({ unit: 'binary', maxLength: 60 }));
  fc.assert(
    fc.property(commandish, ([name, rest]) => {
      const parsed = parseCommand(`${name} ${rest}`);
      if (parsed.ok) buildArgv(parsed.value, paths);
    }),
    { numRuns: 5_000 },
  );
});
