import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTestWithTasks } from '../../../test/fakes/each-test-with-tasks.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { addSample, leaseOf, must } from '../../../test/fakes/task-samples.ts';
import type { TaskWorktree } from '../../contract/task-methods.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { findBubblewrap } from '../../services/executors/bubblewrap.ts';
import { createProcessPort } from '../../services/executors/process.ts';
import { createGit, type Git } from './git.ts';
import { createTaskWorktrees, type TaskWorktrees } from './task-worktrees.ts';

const processes = createProcessPort({ clock: createSystemClock() });
const sandbox = await findBubblewrap({ process: processes });

let store: TaskStore;
let folder = '';
let repository = '';
let worktrees: TaskWorktrees;
let git: Git;
const agent = { name: 'Guide', workspace: '', isOn: true };

eachTestWithTasks((opened, at) => {
  store = opened;
  folder = realpathSync(at);
});

const run = (at: string, ...args: string[]): string =>
  execFileSync('git', args, {
    cwd: at,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'O',
      GIT_AUTHOR_EMAIL: 'o@x',
      GIT_COMMITTER_NAME: 'O',
      GIT_COMMITTER_EMAIL: 'o@x',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

const put = (at: string, name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(at, name)), { recursive: true });
  writeFileSync(path.join(at, name), text);
};
const read = (at: string, name: string): string => readFileSync(path.join(at, name), 'utf8');

function newRepository(at: string): void {
  mkdirSync(at, { recursive: true });
  run(at, 'init', '-q', '-b', 'main');
  put(at, 'a.txt', 'one\ntwo\nthree\n');
  put(at, '.gitignore', 'build/\n');
  run(at, 'add', '.');
  run(at, 'commit', '-q', '-m', 'first');
}

function open(over: Partial<Parameters<typeof createTaskWorktrees>[0]> = {}): TaskWorktrees {
  return createTaskWorktrees({
    git,
    store,
    clock: { now: () => 1_000 },
    log: createRecordingLog(),
    agent: (id) => (id === 'a' ? agent : null),
    changed: () => undefined,
    ...over,
  });
}

beforeEach(() => {
  git = createGit({ process: processes, sandbox: async () => sandbox });
  repository = path.join(folder, 'work');
  newRepository(repository);
  Object.assign(agent, { workspace: repository, isOn: true });
  worktrees = open();
});

const claimed = (draft: Parameters<typeof addSample>[1] = {}): Task => {
  const { id } = addSample(store, { agent: 'a', goal: 'Mend a.txt\nand more', ...draft });
  const task = store.claim({ lease: leaseOf('me'), now: 5_000, only: id });
  if (!task) throw new Error('not claimed');
  return task;
};
const finish = ({ id, claim }: Task): void => {
  must(store.change(id, { type: 'finished', by: { owner: 'me', claim }, result: 'ok' }, 2_000));
};
/** A task with its worktree. */
async function started(): Promise<{ task: Task; worktree: TaskWorktree }> {
  const task = claimed();
  const worktree = must(await worktrees.ready(task, 'a'));
  if (!worktree) throw new Error('no worktree');
  return { task, worktree };
}
const stateOf = (id: number) => store.task(id)?.worktree?.state;
const merge = async (id: number) => worktrees.merge(id, must(await worktrees.diff(id)).tree);
const branches = () => run(repository, 'branch', '--format=%(refname:short)').split('\n');

describe('Worktrees of tasks', () => {
  it('are made when a task starts, on a branch of their own, and do not show in the workspace', async () => {
    const { task, worktree } = await started();
    expect(worktree).toMatchObject({ state: 'open', branch: `kennel/task-${task.id}`, repository });
    expect(read(worktree.path, 'a.txt')).toBe('one\ntwo\nthree\n');
    expect(run(worktree.path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(worktree.branch);
    expect(run(repository, 'status', '--porcelain')).toBe('');
    expect(must(await worktrees.ready(store.task(task.id) ?? task, 'a'))).toEqual(worktree);
  });

  it('depend on the task, then on its agent, and never on a task that began in the workspace', async () => {
    expect(must(await worktrees.ready(claimed({ worktree: false }), 'a'))).toBeNull();
    agent.isOn = false;
    expect(must(await worktrees.ready(claimedLater(), 'a'))).toBeNull();
    agent.isOn = true;
    expect(must(await worktrees.ready({ ...claimedLater(), steps: 3 }, 'a'))).toBeNull();
    agent.workspace = path.join(folder, 'plain');
    mkdirSync(agent.workspace);
    expect(must(await worktrees.ready(claimedLater(), 'a'))).toBeNull();
    expect(branches()).toEqual(['main']);
  });

  /** A task as if it were claimed; the agent has one place. */
  const claimedLater = (): Task => addSample(store, { agent: 'a' });

  it('refuse a folder without a repository or a commit if the task asks for one', async () => {
    const wanted = addSample(store, { agent: 'a', worktree: true });
    agent.workspace = path.join(folder, 'plain');
    mkdirSync(agent.workspace);
    expect(await worktrees.ready(wanted, 'a')).toMatchObject({ ok: false });
    run(agent.workspace, 'init', '-q');
    expect(await worktrees.ready(wanted, 'a')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('has no commit yet') },
    });
    expect(stateOf(wanted.id)).toBe('wanted');
  });

  it('show committed, changed, new and removed files, and leave the index alone', async () => {
    const { task, worktree } = await started();
    put(worktree.path, 'a.txt', 'one\n2\nthree\n');
    run(worktree.path, 'commit', '-q', '-a', '-m', 'by the agent');
    put(worktree.path, 'new/b.txt', 'hello\n');
    put(worktree.path, 'build/out.txt', 'ignored\n');
    put(worktree.path, 'c.bin', 'x\0y');
    rmSync(path.join(worktree.path, 'a.txt'));
    const diff = must(await worktrees.diff(task.id));
    expect(diff).toMatchObject({ branch: worktree.branch, into: 'main', more: 0 });
    expect(diff.files.map(({ path: name, change }) => [name, change])).toEqual([
      ['a.txt', 'removed'],
      ['c.bin', 'created'],
      ['new/b.txt', 'created'],
    ]);
    expect(diff.files[2]?.diff).toBe('@@ -0,0 +1 @@\n+hello');
    expect(diff.files[1]?.diff).toBe('');
    expect(run(worktree.path, 'diff', '--cached', '--name-only')).toBe('');
  });

  it('merge fast-forward, and remove folder and branch', async () => {
    const { task, worktree } = await started();
    put(worktree.path, 'a.txt', 'one\n2\nthree\n');
    expect(await worktrees.merge(task.id, 'x')).toMatchObject({ error: { code: 'conflict' } });
    finish(task);
    expect(must(await merge(task.id))).toBe('fast-forward');
    expect(read(repository, 'a.txt')).toBe('one\n2\nthree\n');
    expect(run(repository, 'log', '-1', '--format=%an %s')).toBe(`Guide Task ${task.id}: Mend a.txt`);
    expect([stateOf(task.id), existsSync(worktree.path), branches()]).toEqual(['merged', false, ['main']]);
    expect(run(repository, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(await worktrees.diff(task.id)).toMatchObject({ error: { code: 'conflict' } });
  });

  it('merge with a commit if the workspace went on, and take nothing that was not shown', async () => {
    const { task, worktree } = await started();
    put(worktree.path, 'b.txt', 'new\n');
    finish(task);
    const { tree } = must(await worktrees.diff(task.id));
    put(worktree.path, 'late.txt', 'not shown\n');
    expect(await worktrees.merge(task.id, tree)).toMatchObject({
      error: { message: expect.stringContaining('changed since') },
    });
    put(repository, 'a.txt', 'ONE\ntwo\nthree\n');
    run(repository, 'commit', '-q', '-a', '-m', 'second');
    expect(must(await merge(task.id))).toBe('merge');
    expect([read(repository, 'a.txt'), read(repository, 'b.txt')]).toEqual(['ONE\ntwo\nthree\n', 'new\n']);
  });

  it('report conflicts and changes that are not committed, and lose nothing', async () => {
    const { task, worktree } = await started();
    put(worktree.path, 'a.txt', 'one\nagent\nthree\n');
    finish(task);
    put(repository, 'a.txt', 'one\noperator\nthree\n');
    expect(await merge(task.id)).toMatchObject({
      error: { message: expect.stringContaining('not committed: a.txt') },
    });
    run(repository, 'commit', '-q', '-a', '-m', 'second');
    expect(await merge(task.id)).toMatchObject({
      error: { message: 'Both sides changed a.txt. Nothing was merged.' },
    });
    expect(read(repository, 'a.txt')).toBe('one\noperator\nthree\n');
    expect(run(repository, 'status', '--porcelain')).toBe('');
    expect([stateOf(task.id), read(worktree.path, 'a.txt')]).toEqual(['open', 'one\nagent\nthree\n']);
    put(repository, 'b.txt', 'mine, not in git\n');
    put(worktree.path, 'a.txt', 'one\ntwo\nthree\n');
    put(worktree.path, 'b.txt', 'of the agent\n');
    expect(await merge(task.id)).toMatchObject({ error: { code: 'conflict' } });
    expect(read(repository, 'b.txt')).toBe('mine, not in git\n');
  });

  it('are discarded with their branch, and a retry gets a new one', async () => {
    const { task, worktree } = await started();
    put(worktree.path, 'a.txt', 'wrong\n');
    expect(await worktrees.discard(task.id)).toMatchObject({ error: { code: 'conflict' } });
    finish(task);
    must(await worktrees.discard(task.id));
    expect([stateOf(task.id), existsSync(worktree.path), branches()]).toEqual(['discarded', false, ['main']]);
    expect(read(repository, 'a.txt')).toBe('one\ntwo\nthree\n');
    const again = must(await worktrees.ready(store.task(task.id) ?? task, 'a'));
    expect(again).toMatchObject({ state: 'open', branch: worktree.branch });
  });

  it('F1 leave nothing after a crash at any record', async () => {
    for (let writes = 0; writes < 2; writes += 1) {
      const task = addSample(store, { agent: 'a', worktree: true });
      let left = writes;
      const dying = open({
        store: {
          ...store,
          setWorktree(...args) {
            if (left === 0) throw new Error('killed');
            left -= 1;
            return store.setWorktree(...args);
          },
        },
      });
      await expect(dying.ready(task, 'a')).rejects.toThrow('killed');
      const after = must(await worktrees.ready(store.task(task.id) ?? task, 'a'));
      expect(after).toMatchObject({ state: 'open', branch: `kennel/task-${task.id}` });
      must(store.change(task.id, { type: 'cancel' }, 3_000));
      left = 1;
      const removing = open({ store: { ...store, setWorktree: dyingAfterFirst() } });
      await expect(removing.discard(task.id)).rejects.toThrow('killed');
      expect(stateOf(task.id)).toBe('removing');
      await worktrees.sweep();
      expect(stateOf(task.id)).toBe('discarded');
    }
    expect(branches()).toEqual(['main']);
    expect(run(repository, 'worktree', 'list').split('\n')).toHaveLength(1);

    function dyingAfterFirst(): TaskStore['setWorktree'] {
      let isFirst = true;
      return (...args) => {
        if (!isFirst) throw new Error('killed');
        isFirst = false;
        return store.setWorktree(...args);
      };
    }
  });

  it('use another name if a branch of this name is somebody else’s', async () => {
    const { id } = addSample(store, { agent: 'a', worktree: true });
    run(repository, 'branch', `kennel/task-${id}`);
    const worktree = must(await worktrees.ready(store.task(id) ?? claimed(), 'a'));
    expect(worktree?.branch).toBe(`kennel/task-${id}-2`);
    must(store.change(id, { type: 'cancel' }, 3_000));
    must(await worktrees.discard(id));
    expect(branches()).toContain(`kennel/task-${id}`);
  });
});

describe('A task that begins again', () => {
  it.each(['merge', 'discard'] as const)('keeps the worktree in which it works during a %s', async (how) => {
    const { task, worktree } = await started();
    put(worktree.path, 'a.txt', 'changed\n');
    must(store.change(task.id, { type: 'cancel' }, 2_000));
    must(store.change(task.id, { type: 'released', by: { owner: 'me', claim: task.claim } }, 2_000));
    const { tree } = must(await worktrees.diff(task.id));
    const ending = how === 'merge' ? worktrees.merge(task.id, tree) : worktrees.discard(task.id);
    must(store.change(task.id, { type: 'retry' }, 2_001));
    expect(await ending).toMatchObject({ error: { code: 'conflict' } });
    expect(stateOf(task.id)).toBe('open');
    expect(read(worktree.path, 'a.txt')).toBe('changed\n');
  });
});

describe('A hostile repository (T14)', () => {
  /** A program that leaves a mark if it is started. */
  function trap(): string {
    const program = path.join(folder, 'trap.sh');
    writeFileSync(program, `#!/bin/sh\n: > '${path.join(folder, 'MARK')}'\ncat\n`);
    chmodSync(program, 0o755);
    return program;
  }
  const isMarked = (): boolean => existsSync(path.join(folder, 'MARK'));

  it('T14: shows links and programs as what they are, and each change beside its own file', async () => {
    const { task, worktree } = await started();
    put(worktree.path, 'b.sh', 'echo\n');
    chmodSync(path.join(worktree.path, 'b.sh'), 0o755);
    rmSync(path.join(worktree.path, 'a.txt'));
    symlinkSync('/etc/shadow', path.join(worktree.path, 'a.txt'));
    put(worktree.path, 'c.txt', 'plain\n');
    const { files } = must(await worktrees.diff(task.id));
    const diffOf = (name: string) => files.find((one) => one.path === name)?.diff ?? '';
    expect(diffOf('a.txt')).toContain('new file mode 120000');
    expect(diffOf('a.txt')).toContain('+/etc/shadow');
    expect(diffOf('b.sh')).toBe('new file mode 100755\n@@ -0,0 +1 @@\n+echo');
    expect(diffOf('c.txt')).toBe('@@ -0,0 +1 @@\n+plain');
  });

  it('starts no hook, file system monitor, differ, editor or signer', async () => {
    const program = trap();
    for (const hook of [
      'post-checkout',
      'pre-commit',
      'commit-msg',
      'post-commit',
      'post-merge',
      'reference-transaction',
      'pre-merge-commit',
      'post-index-change',
    ]) {
      put(repository, `.git/hooks/${hook}`, `#!/bin/sh\nexec ${program}\n`);
      chmodSync(path.join(repository, '.git/hooks', hook), 0o755);
    }
    for (const [key, value] of [
      ['core.fsmonitor', program],
      ['core.editor', program],
      ['core.hooksPath', path.join(repository, '.git/hooks')],
      ['diff.external', program],
      ['diff.evil.command', program],
      ['diff.evil.textconv', program],
      ['gpg.program', program],
      ['commit.gpgSign', 'true'],
      ['core.pager', program],
      ['core.sshCommand', program],
    ] as const)
      run(repository, 'config', key, value);
    put(repository, '.git/info/attributes', '* diff=evil merge=evil filter=evil\n');
    const { task, worktree } = await started();
    put(worktree.path, 'a.txt', 'changed\n');
    finish(task);
    put(repository, 'b.txt', 'b\n');
    const tree = must(await worktrees.diff(task.id)).tree;
    expect(must(await worktrees.merge(task.id, tree))).toBe('fast-forward');
    expect(isMarked()).toBe(false);
  });

  it('is refused if a setting names a program that no option turns off', async () => {
    const program = trap();
    const { task } = await started();
    finish(task);
    const config = read(repository, '.git/config');
    for (const text of [
      `[filter "evil"]\n\tclean = ${program}\n`,
      `[merge "evil"]\n\tdriver = ${program}\n`,
      `[include]\n\tpath = ${folder}/other\n`,
      `[core]\n\tworktree = ${folder}\n`,
    ]) {
      put(repository, '.git/config', `${config}${text}`);
      expect((await worktrees.diff(task.id)).ok, text).toBe(false);
      expect((await worktrees.discard(task.id)).ok, text).toBe(false);
    }
    put(repository, '.git/config', config);
    expect(isMarked()).toBe(false);
    must(await worktrees.discard(task.id));
  });

  it.skipIf(!sandbox)('T14: reaches nothing outside by a filter that comes after the check', async () => {
    const program = trap();
    const config = read(repository, '.git/config');
    put(repository, '.git/config', `${config}[filter "evil"]\n\tsmudge = ${program}\n`);
    put(repository, '.git/info/attributes', '* filter=evil\n');
    const add = (name: string) => ['worktree', 'add', '--detach', path.join(repository, name), 'HEAD'];
    must(await git.tryRun({ repository }, add('walled')));
    expect(existsSync(path.join(repository, 'walled', 'a.txt'))).toBe(true);
    expect(isMarked()).toBe(false);
    const open = createGit({ process: processes, sandbox: async () => null });
    must(await open.tryRun({ repository }, add('open')));
    expect(isMarked()).toBe(true);
  });

  it('does not follow a .git file, or folders of worktrees, that an agent replaced', async () => {
    const program = trap();
    const { task, worktree } = await started();
    const evil = path.join(folder, 'evil');
    newRepository(evil);
    run(evil, 'config', 'core.fsmonitor', program);
    put(worktree.path, '.git', `gitdir: ${evil}/.git\n`);
    put(worktree.path, 'a.txt', 'changed\n');
    finish(task);
    expect(must(await worktrees.diff(task.id)).files.map(({ path: name }) => name)).toEqual(['a.txt']);
    const kept = path.join(folder, 'kept');
    put(kept, `task-${task.id}/precious.txt`, 'x');
    rmSync(path.join(repository, '.kennel/worktrees'), { recursive: true });
    symlinkSync(kept, path.join(repository, '.kennel/worktrees'));
    must(await worktrees.discard(task.id));
    expect(existsSync(path.join(kept, `task-${task.id}/precious.txt`))).toBe(true);
    const later = addSample(store, { agent: 'a', worktree: true });
    expect(await worktrees.ready(later, 'a')).toMatchObject({ error: { code: 'conflict' } });
    expect(isMarked()).toBe(false);
  });

  it.each([
    [
      'names another repository',
      (admin: string, evil: string) => writeFileSync(path.join(admin, 'commondir'), evil),
    ],
    [
      'is a link',
      (admin: string, evil: string) => {
        cpSync(admin, path.join(evil, 'record'), { recursive: true });
        writeFileSync(path.join(evil, 'record', 'commondir'), evil);
        rmSync(admin, { recursive: true });
        symlinkSync(path.join(evil, 'record'), admin);
      },
    ],
  ])(
    "T14: starts no program of another repository if git's record of a worktree %s",
    async (_how, change) => {
      git = createGit({ process: processes, sandbox: async () => null });
      worktrees = open();
      const { task, worktree } = await started();
      finish(task);
      const evil = path.join(folder, 'evil');
      cpSync(path.join(repository, '.git'), evil, { recursive: true });
      run(repository, `--git-dir=${evil}`, 'config', 'filter.evil.clean', trap());
      put(worktree.path, '.gitattributes', '* filter=evil\n');
      put(worktree.path, 'a.txt', 'changed\n');
      change(path.join(repository, '.git/worktrees', `task-${task.id}`), evil);
      expect((await worktrees.diff(task.id)).ok).toBe(false);
      expect(isMarked()).toBe(false);
    },
  );

  it('reports a repository that an agent made inside its worktree', async () => {
    const { task, worktree } = await started();
    newRepository(path.join(worktree.path, 'inner'));
    expect(await worktrees.diff(task.id)).toMatchObject({
      error: { message: expect.stringContaining('inner is a repository of its own') },
    });
  });
});
