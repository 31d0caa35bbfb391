import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../../test/fakes/test-run.ts';
import { lexShell } from './shell-lexer.ts';
import { splitShell } from './split-shell.ts';

/** Commands as text, with `~` after each dynamic word. */
const parts = (line: string): string[] | string => {
  const split = splitShell(line);
  if (!split.understood) return split.reason;
  return split.commands.map(({ words, redirections }) =>
    [
      ...words.map(({ text, dynamic }) => (dynamic ? `${text}~` : text)),
      ...redirections.map(({ operator, target }) => `${operator}${target.text}`),
    ].join(' '),
  );
};

describe('splitShell', () => {
  it.each([
    ['git x; rm -rf y', ['git x', 'rm -rf y']],
    ['a | b && c || d & e\nf', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['echo $(rm -rf "$(x)") `ls -l`', ['x', 'rm -rf ~', 'ls -l', 'echo ~ ~']],
    ['(cd a; ls) > out', ['cd a', 'ls', '>out']],
    ['if true; then rm x; fi', ['true', 'rm x']],
    ['while ! a; do b; done', ['a', 'b']],
    ['for i in a b; do rm $i; done', ['for i in a b', 'rm ~']],
    ['cat <(rm x)', ['rm x', 'cat ~']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['echo ${x:-$(rm y)}', ['rm y', 'echo x:-~']],
    ['ls 2>&1 >>log </dev/null', ['ls >&1 >>log </dev/null']],
    ["$'\\x72m' a", ['rm a']],
    ['r"m" a', ['rm a']],
    ['git \\\n status # ; rm', ['git status']],
    ["git log --grep='a; rm b'", ['git log --grep=a; rm b']],
    ['ls *.txt ~ a{b,c}', ['ls *.txt~ ~~ a{b,c}~']],
    ['', []],
  ])('T9: %j runs %j', (line, expected) => expect(parts(line)).toEqual(expected));

  it.each([
    ['cat <<EOF\nrm x\nEOF', 'the operator <<'],
    ['f() { rm x; }', 'a function or an array'],
    ['case x in x) rm y;; esac', 'the word case'],
    ['echo $((1 + $(rm x)))', 'arithmetic'],
    ['((rm))', 'arithmetic'],
    ['for ((;;)); do rm x; done', 'a function or an array'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['echo "${x:-\'}$(rm)\'}"', 'quotes inside of a variable'],
    ['echo "a', 'a quote is not closed'],
    ['echo $(ls', 'a substitution is not closed'],
    ['ls )', 'a bracket too many'],
    ['(ls', 'a bracket is not closed'],
    ['ls >', 'a redirection without a target'],
    ['ls a\0b', 'a control character'],
    ['ls \\', 'ends in a backslash'],
    [`${'$('.repeat(40)}x${')'.repeat(40)}`, 'nested too deeply'],
  ])('refuses to interpret %j', (line, reason) => expect(parts(line)).toBe(reason));

  it('returns assignments separately, since they can change the command', () => {
    const split = splitShell('PATH=. git status');
    expect(split.understood && split.commands[0]).toMatchObject({
      assignments: ['PATH=.'],
      words: [{ text: 'git' }, { text: 'status' }],
      source: 'PATH=. git status',
    });
  });
});

const shellish = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'\'"`$(){}[];&|<>#\\ \t\n*?~!=ab1/-'.split('')),
      fc.constantFrom('$(', '${', "$'", '&&', '||', '>>', '<<', 'rm', 'git ', 'sudo', '\u00a0', '"$('),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((all) => all.join(''));

it(`Tokens cover every character in order (seed ${seed})`, () => {
  fc.assert(
    fc.property(shellish, (line) => {
      const { tokens, problem } = lexShell(line);
      if (problem !== null) return;
      expect(tokens.map(({ start, end }) => line.slice(start, end)).join('')).toBe(line);
      expect(tokens.every(({ start, end }) => end > start)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

it(`Any text is split or refused, and a command appended to a line is found (seed ${seed})`, () => {
  fc.assert(
    fc.property(shellish, fc.constantFrom(';', '&&', '||', '|', '&', '\n'), (line, separator) => {
      const before = splitShell(line);
      const after = splitShell(`${line}${separator}rm -rf y`);
      if (!before.understood || !after.understood || /#/.test(line)) return;
      expect(after.commands.some(({ words }) => words.map(({ text }) => text).join(' ') === 'rm -rf y')).toBe(
        true,
      );
    }),
    { numRuns: 3_000 },
  );
});
