import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BashRig, createBashRig } from '../../../../test/fakes/bash-rig.ts';

const posix = process.platform !== 'win32';
let rig: BashRig;

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  });

function repository(name: string): void {
  git(rig.at(name), 'init', '-q', '-b', 'main');
  git(rig.at(name), 'add', '-A');
  git(rig.at(name), 'commit', '-q', '-m', 'first');
}

/** Creates a marker file when it is started, and copies its input to its output. */
function trap(): string {
  rig.put('work/evil.sh', `#!/bin/sh\n: > '${rig.at('work/MARKER')}'\ncat "$@"\n`);
  chmodSync(rig.at('work/evil.sh'), 0o755);
  return rig.at('work/evil.sh');
}

beforeEach(() => {
  rig = createBashRig();
  rig.put('work/a.txt', 'alpha\n');
  rig.put('work/sub/b.txt', 'beta\n');
});
afterEach(() => {
  expect(existsSync(rig.at('work/MARKER'))).toBe(false);
  rig.dispose();
});

describe.skipIf(!posix)('Read-only git commands', () => {
  it('return the output of git', async () => {
    repository('work');
    rig.put('work/a.txt', 'changed\n');
    expect(await rig.run('git status -s')).toBe(' M a.txt\n');
    expect(await rig.run('git diff a.txt')).toContain('-alpha\n+changed\n');
    expect(await rig.run('git diff HEAD -- a.txt')).toContain('+changed');
    expect(await rig.run("git log -1 --format='%an %s'")).toBe('A first\n');
    expect(await rig.run('git log --oneline sub/b.txt')).toContain('first');
    expect(await rig.run('git show HEAD:a.txt')).toBe('alpha\n');
    expect(await rig.run('git branch')).toBe('* main\n');
    expect(await rig.run("git branch --list 'm*'")).toBe('* main\n');
    expect(await rig.run('git show HEAD:./b.txt', { cwd: 'sub' })).toBe('beta\n');
    for (const line of [
      'git diff /etc/passwd /etc/group',
      'git diff /etc/passwd a.txt',
      'git diff ../outside/secret.txt a.txt',
      'git diff ../outside/secret.txt -- a.txt',
      "git show '../../x'",
      'git show HEAD:../../x',
      'git log ../outside',
      'git log main ../outside/secret.txt',
    ])
      expect(await rig.run(line), line).toBe('! path_outside_allowed_roots');
    expect(await rig.run('git diff --no-index a.txt sub/b.txt')).toBe('! git_option_not_allowed');
    expect(await rig.run('git show :/first')).toContain('first');
    expect(await rig.run('git diff -- ../outside/secret.txt a.txt')).toBe('! path_outside_allowed_roots');
  });

  it.each([
    ['git diff', false],
    ['git diff --stat -U9', false],
    ['git diff HEAD -- a.txt', false],
    ["git diff --diff-filter=D -S'no such text'", false],
    ['git diff sub', true],
    ['git diff --cached', true],
    ['git status -s', true],
  ])('T14: do not compare a file that also has a name outside: %s', async (line, runs) => {
    repository('work');
    rig.put('outside/secret.txt', 'TOP-SECRET\n');
    rmSync(rig.at('work/a.txt'));
    linkSync(rig.at('outside/secret.txt'), rig.at('work/a.txt'));
    const output = await rig.run(line);
    expect(output).not.toContain('TOP-SECRET');
    expect(output === '! path_outside_allowed_roots').toBe(!runs);
    expect(await rig.run(line, { cwd: 'sub' })).not.toContain('TOP-SECRET');
  });

  it('T18: run with only the listed environment variables', async () => {
    repository('work');
    await rig.run('git status');
    const names = Object.keys(rig.started[0]?.env ?? {});
    expect(names.filter((name) => !/^(LANG|LC_ALL|PATH|GIT_[A-Z_]+)$/.test(name))).toEqual([]);
    expect(names).not.toContain('HOME');
  });
});

describe.skipIf(!posix)('T9: Programs configured by a repository', () => {
  const every = ['git status', 'git diff', 'git log -p -3', 'git show', 'git branch -v'];

  it('do not start: fsmonitor, external diff, textconv, pager, editor and hooks', async () => {
    repository('work');
    const evil = trap();
    rig.put('work/a.txt', 'changed\n');
    rig.put('work/.gitattributes', '*.txt diff=evil\n');
    for (const key of [
      'core.fsmonitor',
      'diff.external',
      'diff.evil.textconv',
      'diff.evil.command',
      'core.pager',
      'pager.log',
      'core.editor',
      'gpg.program',
      'core.askPass',
      'core.sshCommand',
    ])
      git(rig.root, 'config', key, evil);
    git(rig.root, 'config', 'log.showSignature', 'true');
    rig.put('work/.git/hooks/post-index-change', `#!/bin/sh\n: > '${rig.at('work/MARKER')}'\n`);
    chmodSync(rig.at('work/.git/hooks/post-index-change'), 0o755);
    for (const cmd of every) expect(await rig.run(cmd)).not.toMatch(/^!/);
    // `git diff` starts twice: it lists its files first.
    expect(rig.started).toHaveLength(every.length + 1);
    // Proves that the trap works: git without Kennel's settings starts it.
    git(rig.root, 'status');
    expect(existsSync(rig.at('work/MARKER'))).toBe(true);
    execFileSync('rm', [rig.at('work/MARKER')]);
  });

  it.each([
    ['a filter', '[filter "x"]\n\tclean = ./evil.sh\n'],
    ['a filter in one line', '[core] a = b\n[filter.x]clean=./evil.sh\n'],
    ['a filter in capitals', '[FILTER "x"]\n\tprocess = ./evil.sh\n'],
    ['an included file', '[include]\n\tpath = /etc/passwd\n'],
    ['a file included on a condition', '[includeIf "gitdir:/"]\n\tpath = x\n'],
    ['another work tree', '[core]\n\tworktree = /etc\n'],
    ['another work tree on the line of its section', '[core]worktree=/etc\n'],
    ['a second configuration', '[extensions]\n\tworktreeConfig = true\n'],
    ['objects fetched when wanted', '[remote "x"]\n\tpromisor = true\n'],
  ])('never start: the tool refuses a repository with %s', async (_, config) => {
    repository('work');
    trap();
    appendFileSync(rig.at('work/.git/config'), config);
    for (const cmd of every) expect(await rig.run(cmd)).toBe('! git_repository_not_allowed');
    expect(rig.started).toEqual([]);
  });
});

describe.skipIf(!posix)('T14: Repositories that lead outside', () => {
  beforeEach(() => {
    repository('outside');
    repository('work');
  });

  const refused = async (): Promise<void> => {
    expect(await rig.run('git status')).toBe('! git_repository_not_allowed');
    expect(await rig.run('git show HEAD:secret.txt')).toBe('! git_repository_not_allowed');
    expect(rig.started).toEqual([]);
  };

  it('are refused with a .git file, a .git link or a link in .git', async () => {
    renameSync(rig.at('work/.git'), rig.at('work/real'));
    rig.put('work/.git', `gitdir: ${rig.at('outside/.git')}\n`);
    await refused();
    execFileSync('rm', [rig.at('work/.git')]);
    symlinkSync(rig.at('outside/.git'), rig.at('work/.git'));
    await refused();
    execFileSync('rm', [rig.at('work/.git')]);
    renameSync(rig.at('work/real'), rig.at('work/.git'));
    execFileSync('rm', ['-r', rig.at('work/.git/objects')]);
    symlinkSync(rig.at('outside/.git/objects'), rig.at('work/.git/objects'));
    await refused();
  });

  it('are refused with objects, a common folder or refs of another repository', async () => {
    rig.put('work/.git/objects/info/alternates', `${rig.at('outside/.git/objects')}\n`);
    await refused();
    execFileSync('rm', [rig.at('work/.git/objects/info/alternates')]);
    rig.put('work/.git/commondir', rig.at('outside/.git'));
    await refused();
    execFileSync('rm', [rig.at('work/.git/commondir')]);
    symlinkSync(rig.at('outside/secret.txt'), rig.at('work/.git/refs/heads/x'));
    await refused();
  });

  it('are refused if they enclose the folders, or are bare inside them', async () => {
    execFileSync('rm', ['-r', rig.at('work/.git')]);
    repository('');
    await refused();
    cpSync(rig.at('outside/.git'), rig.at('work/bare'), { recursive: true });
    mkdirSync(rig.at('work/bare/x'));
    expect(await rig.run('git log', { cwd: 'bare' })).toBe('! git_repository_not_allowed');
  });

  it('are refused if bare inside a valid repository', async () => {
    cpSync(rig.at('outside/.git'), rig.at('work/bare'), { recursive: true });
    appendFileSync(rig.at('work/bare/config'), `[core]\n\tbare = true\n\tfsmonitor = ${trap()}\n`);
    expect(await rig.run('git show HEAD:secret.txt', { cwd: 'bare' })).toBe('! git_repository_not_allowed');
    expect(await rig.run('git status -s')).toBe('?? bare/\n?? evil.sh\n');
  });
});
