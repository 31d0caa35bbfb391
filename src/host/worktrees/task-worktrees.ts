/**
 * Worktrees of tasks: made when a task starts, compared, merged or discarded when it has ended. Each change is recorded
 * in the task before git makes it, so a crash leaves nothing that Kennel does not know (F1).
 */
import { join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TaskDiff, TaskWorktree } from '../../contract/task-methods.ts';
import { createSemaphore, type Semaphore } from '../../core/lib/semaphore.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { hasTaskEnded, type Task } from '../../core/tasks/task.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { realPath } from '../../platform/real-path.ts';
import { type Git, gitFolder, isPlainFolder, isThere } from './git.ts';
import { branchOf, type MergeHow, mergeWorktree } from './merge-worktree.ts';
import { changedFiles, writeTree } from './worktree-diff.ts';
import {
  adminFolder,
  isLinked,
  makeWorktreesFolder,
  removeWorktreeFolders,
  worktreesFolder,
} from './worktree-files.ts';

/** An agent, as far as its tasks' worktrees need it. */
export interface WorktreeAgent {
  readonly name: string;
  /** Its folder of work. */
  readonly workspace: string;
  /** Setting of its tasks that say nothing themselves. */
  readonly isOn: boolean;
}

export interface TaskWorktreesDeps {
  readonly git: Git;
  readonly store: Pick<TaskStore, 'task' | 'setWorktree' | 'removingWorktrees'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  /** `null` for an agent that is gone. */
  agent(id: string): WorktreeAgent | null;
  changed(task: number): void;
}

export interface TaskWorktrees {
  /** The worktree in which a claimed task works, made if it is missing; `null` for the agent's workspace. */
  ready(task: Task, agentId: string): Promise<Result<TaskWorktree | null>>;
  diff(task: number): Promise<Result<TaskDiff>>;
  merge(task: number, tree: string): Promise<Result<MergeHow>>;
  discard(task: number): Promise<Result<void>>;
  /** Removes what a crash left. */
  sweep(): Promise<void>;
}

/** Names that are tried, if tasks of a lost store used the first ones. */
const mostNames = 50;
const maxMessage = 200;

export function createTaskWorktrees(deps: TaskWorktreesDeps): TaskWorktrees {
  return new HostWorktrees(deps);
}

const taskRuns = (id: number) =>
  fail('conflict', 'worktrees.taskRuns', { id }, { help: 'worktrees.cancelFirst' });

const fresh: TaskWorktree = {
  state: 'wanted',
  branch: '',
  path: '',
  repository: '',
  base: '',
  outcome: null,
};

class HostWorktrees implements TaskWorktrees {
  readonly #deps: TaskWorktreesDeps;
  /** Git locks a repository for one command at a time. */
  readonly #turns = new Map<string, Semaphore>();

  constructor(deps: TaskWorktreesDeps) {
    this.#deps = deps;
  }

  async ready(task: Task, agentId: string): Promise<Result<TaskWorktree | null>> {
    const { worktree } = task;
    const agent = this.#deps.agent(agentId);
    if (worktree?.state === 'off' || agent === null) return ok(null);
    const repository = realPath(agent.workspace);
    if (worktree === null) {
      // A task that began in the workspace goes on there.
      const isWanted = agent.isOn && task.steps === 0 && isPlainFolder(gitFolder(repository));
      if (!isWanted) return ok(null);
    }
    if (worktree?.state === 'open') {
      if (isPlainFolder(worktree.path)) return ok(worktree);
      return err(fail('not_found', 'worktrees.missing', { path: worktree.path }));
    }
    if (worktree?.state === 'removing') return err(fail('conflict', 'worktrees.isRemoved', { id: task.id }));
    const inside = worktree?.state === 'making' ? worktree.repository : repository;
    return this.#alone(inside, async () => {
      const checked = await this.#deps.git.check(inside);
      if (!checked.ok) return checked;
      // Nothing was written in a worktree that was not finished.
      if (worktree?.state === 'making') await this.#remove(worktree);
      return this.#make(task, inside);
    });
  }

  async diff(id: number): Promise<Result<TaskDiff>> {
    const found = this.#open(id);
    if (!found.ok) return found;
    const { worktree } = found.value;
    return this.#alone(worktree.repository, async () => {
      const { git } = this.#deps;
      const checked = await git.check(worktree.repository);
      if (!checked.ok) return checked;
      const tree = await writeTree(git, worktree);
      if (!tree.ok) return tree;
      const into = await branchOf(git, worktree.repository);
      if (!into.ok) return into;
      const files = await changedFiles(git, worktree, tree.value);
      if (!files.ok) return files;
      return ok({ branch: worktree.branch, into: into.value, tree: tree.value, ...files.value });
    });
  }

  async merge(id: number, tree: string): Promise<Result<MergeHow>> {
    const found = this.#ended(id, ['open']);
    if (!found.ok) return found;
    const { task, worktree } = found.value;
    if (!isPlainFolder(worktree.path))
      return err(fail('not_found', 'worktrees.missing', { path: worktree.path }));
    return this.#alone(worktree.repository, async () => {
      const { git } = this.#deps;
      const checked = await git.check(worktree.repository);
      if (!checked.ok) return checked;
      const now = await writeTree(git, worktree);
      if (!now.ok) return now;
      if (now.value !== tree) return err(fail('conflict', 'worktrees.changedSince', { id }));
      const name = this.#deps.agent(task.runner ?? task.agent ?? '')?.name ?? 'Kennel';
      const [line = ''] = task.goal.trim().split('\n');
      const merged = await mergeWorktree(git, worktree, {
        tree,
        message: cutCodePoints(`Task ${id}: ${line}`, maxMessage),
        author: { name: name.replaceAll(/[<>\n]/g, ' ').trim() || 'Kennel', email: 'kennel@localhost' },
      });
      if (!merged.ok) return merged;
      const removed = await this.#removeFor(task, worktree, 'merged');
      return removed.ok ? merged : removed;
    });
  }

  async discard(id: number): Promise<Result<void>> {
    // A missing folder can still be discarded, and a removal that failed is repeated.
    const found = this.#ended(id, ['open', 'making', 'removing']);
    if (!found.ok) return found;
    const { task, worktree } = found.value;
    const outcome = worktree.outcome ?? 'discarded';
    return this.#alone(worktree.repository, () => this.#removeFor(task, worktree, outcome));
  }

  async sweep(): Promise<void> {
    for (const task of this.#deps.store.removingWorktrees()) {
      const { worktree } = task;
      if (worktree?.outcome == null) continue;
      const outcome = worktree.outcome;
      const done = await this.#alone(worktree.repository, () => this.#removeFor(task, worktree, outcome));
      if (!done.ok) this.#deps.log.warn('worktree_not_removed', { task: task.id, code: done.error.code });
    }
  }

  #alone<T>(repository: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(repository) ?? createSemaphore(1);
    this.#turns.set(repository, turn);
    return turn(work);
  }

  #record(id: number, worktree: TaskWorktree): Result<TaskWorktree> {
    const { store, clock, changed } = this.#deps;
    const kept = store.setWorktree(id, worktree, clock.now());
    if (!kept.ok) return kept;
    changed(id);
    return ok(worktree);
  }

  #open(id: number): Result<{ readonly task: Task; readonly worktree: TaskWorktree }> {
    const task = this.#deps.store.task(id);
    if (!task) return err(fail('not_found', 'tasks.unknownTask', { id }));
    const { worktree } = task;
    if (worktree?.state !== 'open') return err(fail('conflict', 'worktrees.none', { id }));
    if (!isPlainFolder(worktree.path))
      return err(fail('not_found', 'worktrees.missing', { path: worktree.path }));
    return ok({ task, worktree });
  }

  /** A worktree in one of these states whose task does not change it any more. */
  #ended(
    id: number,
    states: readonly TaskWorktree['state'][],
  ): Result<{ readonly task: Task; readonly worktree: TaskWorktree }> {
    const task = this.#deps.store.task(id);
    if (!task) return err(fail('not_found', 'tasks.unknownTask', { id }));
    const { worktree } = task;
    if (!worktree || !states.includes(worktree.state)) return err(fail('conflict', 'worktrees.none', { id }));
    return hasTaskEnded(task) ? ok({ task, worktree }) : err(taskRuns(id));
  }

  async #make(task: Task, repository: string): Promise<Result<TaskWorktree>> {
    const { git } = this.#deps;
    const base = await git.tryRun({ repository }, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    if (!base.ok) return base;
    if (base.value.code !== 0) return err(fail('conflict', 'worktrees.noCommit', { folder: repository }));
    if (!makeWorktreesFolder(repository))
      return err(fail('conflict', 'worktrees.inTheWay', { path: worktreesFolder(repository) }));
    const names = await this.#freeNames(task.id, repository);
    if (!names.ok) return names;
    const commit = base.value.stdout.trim();
    const making = this.#record(task.id, {
      ...fresh,
      ...names.value,
      state: 'making',
      repository,
      base: commit,
    });
    if (!making.ok) return making;
    const { branch, path } = making.value;
    const made = await git.run({ repository }, ['worktree', 'add', '--no-track', '-b', branch, path, commit]);
    if (!made.ok) return made;
    if (!isLinked(making.value)) return err(fail('conflict', 'worktrees.inTheWay', { path }));
    return this.#record(task.id, { ...making.value, state: 'open' });
  }

  async #freeNames(id: number, repository: string): Promise<Result<Pick<TaskWorktree, 'branch' | 'path'>>> {
    for (let n = 1; n <= mostNames; n += 1) {
      const name = n === 1 ? `task-${id}` : `task-${id}-${n}`;
      const branch = `kennel/${name}`;
      const path = join(worktreesFolder(repository), name);
      const ref = ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`];
      const taken = await this.#deps.git.tryRun({ repository }, ref);
      if (!taken.ok) return taken;
      if (taken.value.code !== 0 && !isThere(path) && !isThere(adminFolder({ repository, path })))
        return ok({ branch, path });
    }
    return err(fail('conflict', 'worktrees.inTheWay', { path: worktreesFolder(repository) }));
  }

  async #removeFor(
    task: Task,
    worktree: TaskWorktree,
    outcome: NonNullable<TaskWorktree['outcome']>,
  ): Promise<Result<void>> {
    const { repository } = worktree;
    const checked = isPlainFolder(gitFolder(repository))
      ? await this.#deps.git.check(repository)
      : ok(undefined);
    if (!checked.ok) return checked;
    // The task may have begun again meanwhile, and works in the folder. One that finds it `removing` does not.
    const now = this.#deps.store.task(task.id);
    if (now?.worktree?.state !== 'removing' && now && !hasTaskEnded(now)) return err(taskRuns(task.id));
    const removing = this.#record(task.id, { ...worktree, state: 'removing', outcome });
    if (!removing.ok) return removing;
    const removed = await this.#remove(removing.value);
    if (!removed.ok) return removed;
    const done = this.#record(task.id, { ...removing.value, state: outcome });
    return done.ok ? ok(undefined) : done;
  }

  async #remove(worktree: TaskWorktree): Promise<Result<void>> {
    const { repository, branch } = worktree;
    // A repository that is gone has taken everything with it.
    if (!isPlainFolder(gitFolder(repository))) return ok(undefined);
    await removeWorktreeFolders(worktree);
    const deleted = await this.#deps.git.run({ repository }, ['update-ref', '-d', `refs/heads/${branch}`]);
    return deleted.ok ? ok(undefined) : deleted;
  }
}
