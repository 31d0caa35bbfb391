// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of the shells
/** Runs the completion scripts in the shells that are installed; CI has bash. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { newHome } from './host-rig.ts';

const folder = newHome();
const bin = path.join(folder.home, 'bin');

function run(program: string, args: readonly string[]) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: folder.home,
      KENNEL_HOME: folder.home,
      TERM: 'dumb',
    },
  });
  return { status, stdout, stderr: error ? error.message : stderr };
}

const isInstalled = (program: string): boolean => run(program, ['-c', 'true']).status === 0;

beforeAll(() => {
  mkdirSync(bin);
  for (const [name, words] of [
    ['kennel', ''],
    ['puppy', 'puppy'],
  ]) {
    const file = path.join(bin, name ?? '');
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${kennelEntry}' ${words} "$@"\n`);
    chmodSync(file, 0o755);
  }
  mkdirSync(path.join(folder.home, 'agents', 'guide'), { recursive: true });
  writeFileSync(path.join(folder.home, 'agents', 'guide', 'agent.yml'), '');
  writeFileSync(path.join(folder.home, 'a file.zip'), '');
});
afterAll(() => folder.remove());

/** Words of the line and what each shell must offer for the last one. */
const lines: readonly (readonly [words: readonly string[], found: readonly string[]])[] = [
  [
    ['kennel', 'ag'],
    ['agent', 'agentd'],
  ],
  [['kennel', 'agent', 'ren'], ['rename']],
  [['kennel', 'agent', 'show', ''], ['guide']],
  [['kennel', 'agent', 'list', '--js'], ['--json']],
  [['kennel', 'nothing-like-it'], []],
  [['puppy', 'grap'], ['graph']],
];

describe('Completion script', () => {
  it('completes in bash', () => {
    const asked = lines.map(
      ([words]) =>
        `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _kennel; echo "[\${COMPREPLY[*]}]"`,
    );
    const files =
      'cd "$HOME"; COMP_WORDS=(kennel import \'a \'); COMP_CWORD=2; _kennel; echo "[${COMPREPLY[*]}]"';
    const script = ['source <(kennel completion bash)', ...asked, files, 'complete -p kennel puppy'].join(
      '\n',
    );
    const { status, stdout, stderr } = run('bash', ['--norc', '-c', script]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout.split('\n')).toEqual([
      ...lines.map(([, found]) => `[${found.join(' ')}]`),
      '[a file.zip]',
      'complete -F _kennel kennel',
      'complete -F _kennel puppy',
      '',
    ]);
  });

  it.runIf(isInstalled('fish'))('completes in fish', () => {
    for (const [words, found] of lines) {
      const asked = `kennel completion fish | source; complete -C "${words.join(' ')}"`;
      const { stdout, stderr } = run('fish', ['--no-config', '-c', asked]);
      expect(stderr).toBe('');
      expect(
        stdout
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split('\t')[0]),
      ).toEqual(found);
    }
  });

  it.runIf(isInstalled('zsh'))('completes in zsh', () => {
    for (const [words, found] of lines) {
      // Outside an interactive shell the functions of the completion system only report their arguments.
      const asked = [
        'compdef() { registered="$*" }',
        '_files() { echo files }',
        '_describe() { print -l -- "${(@)${(@P)2}%%:*}" }',
        'source <(kennel completion zsh)',
        `words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _kennel`,
        'echo "registered $registered"',
      ].join('\n');
      const { stdout, stderr } = run('zsh', ['-f', '-c', asked]);
      expect(stderr).toBe('');
      expect(stdout.split('\n').filter(Boolean)).toEqual([...found, 'registered _kennel kennel puppy']);
    }
  });

  it('is refused for an unknown shell', () => {
    const { status, stderr } = run('kennel', ['completion', 'tcsh']);
    expect([status, stderr]).toEqual([2, 'kennel: A shell is one of bash, zsh, fish, pwsh.\n']);
  });
});
