/** A task of a real host in a git worktree: made, asked about, shown, merged and discarded, also by the command line. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DemoHost, eachTestWithDemo, runKennel } from './demo-rig.ts';
import { until } from './host-rig.ts';

let demo: DemoHost;
eachTestWithDemo((started) => {
  demo = started;
});

const workspace = (): string => path.join(demo.home.home, 'agents', 'guide', 'workspace');
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=O', '-c', 'user.email=o@x', ...args], {
    cwd: workspace(),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null' },
  }).trim();

function makeRepository(): void {
  git('init', '-q', '-b', 'main');
  writeFileSync(path.join(workspace(), 'a.txt'), 'one\n');
  git('add', 'a.txt');
  git('commit', '-q', '-m', 'first');
}

const get = async (task: number) => (await demo.kennel.call('tasks.get', { task })).task;
const inState = (task: number, status: string) =>
  until(`task ${task} to be ${status}`, async () => {
    const found = await get(task);
    return found.status === status && found;
  });

/** A task that writes hello.md, up to its question. */
async function asked(): Promise<number> {
  const { task } = await demo.kennel.call('tasks.add', {
    goal: 'write hello.md',
    agent: 'guide',
    worktree: true,
  });
  await inState(task.id, 'waiting');
  return task.id;
}

async function allow(): Promise<void> {
  const [question] = (await demo.kennel.call('approvals.list', {})).approvals;
  const { id, digest } = question ?? { id: '', digest: '' };
  const answer = { type: 'allow', scope: 'once' } as const;
  await demo.kennel.call('approvals.decide', { id, digest, answer, surface: 'terminal' });
}

describe('A task in a worktree', () => {
  it('writes there, survives a restart while it asks, can be undone, and is merged in the terminal', async () => {
    makeRepository();
    const id = await asked();
    const { worktree } = await get(id);
    expect(worktree).toMatchObject({ state: 'open', branch: `kennel/task-${id}` });
    expect(existsSync(path.join(worktree?.path ?? '', 'a.txt'))).toBe(true);
    await demo.kennel.stop();
    await demo.restart();
    await allow();
    await inState(id, 'done');
    expect(existsSync(path.join(workspace(), 'hello.md'))).toBe(false);
    const { points } = await demo.kennel.call('undo.list', { task: id });
    expect(points[0]?.files.map((file) => file.path)).toEqual([`.kennel/worktrees/task-${id}/hello.md`]);
    const shown = await runKennel(demo.home.home, ['task', 'diff', String(id)]);
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('hello.md') });
    const point = points[0]?.id ?? '';
    const { digest } = await demo.kennel.call('undo.show', { point });
    const { point: undone } = await demo.kennel.call('undo.apply', { point, digest });
    expect((await demo.kennel.call('tasks.diff', { task: id })).files).toEqual([]);
    const back = await demo.kennel.call('undo.show', { point: undone });
    await demo.kennel.call('undo.apply', { point: undone, digest: back.digest });
    const merged = await runKennel(demo.home.home, ['task', 'merge', String(id)]);
    expect(merged).toMatchObject({ code: 0, out: expect.stringContaining('is merged into main') });
    expect(readFileSync(path.join(workspace(), 'hello.md'), 'utf8')).not.toBe('');
    expect(readdirSync(path.join(workspace(), '.kennel', 'worktrees'))).toEqual([]);
    expect([git('branch', '--format=%(refname:short)'), git('status', '--porcelain')]).toEqual(['main', '']);
    expect(await get(id)).toMatchObject({ worktree: { state: 'merged' } });
  });

  it('is discarded only after its end, with a confirmation', async () => {
    makeRepository();
    const id = await asked();
    const early = await demo.kennel.tryCall('tasks.discard', { task: id });
    expect(early).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await demo.kennel.call('tasks.cancel', { task: id });
    const unconfirmed = await runKennel(demo.home.home, ['task', 'discard', String(id)]);
    expect(unconfirmed).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    const done = await runKennel(demo.home.home, ['task', 'discard', String(id), '--yes']);
    expect(done.code).toBe(0);
    expect(git('branch', '--format=%(refname:short)')).toBe('main');
    expect((await get(id)).worktree?.state).toBe('discarded');
  });

  it('fails with a reason where no repository is, and works in the workspace if nobody asked for one', async () => {
    const { task } = await demo.kennel.call('tasks.add', {
      goal: 'Name a bird',
      agent: 'guide',
      worktree: true,
    });
    const failed = await inState(task.id, 'error');
    expect(failed.failure?.message).toMatchObject({ key: 'worktrees.repositoryRefused' });
    const plain = await demo.kennel.call('tasks.add', { goal: 'Name a bird', agent: 'guide' });
    expect(await inState(plain.task.id, 'done')).toMatchObject({ worktree: null });
  });
});
