/** The branch of a task on its page: its changes, a merge, and what discards it. */
import type { TaskDiff, TaskWorktree } from '../../src/contract/task-methods.ts';
import { expectAccessible } from './axe.ts';
import { busyAgents } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, takePicture, test } from './open-page.ts';
import { task } from './task-data.ts';

const worktree: TaskWorktree = {
  state: 'open',
  branch: 'kennel/task-1',
  path: '/home/ada/site/.kennel/worktrees/task-1',
  repository: '/home/ada/site',
  base: 'c0ffee',
  outcome: null,
};

const diff: TaskDiff = {
  branch: 'kennel/task-1',
  into: 'main',
  tree: 'tree-1',
  files: [
    {
      path: 'src/pages/index.html',
      change: 'changed',
      diff: '@@ -1,3 +1,3 @@\n <main>\n-  <a href="/old">Old</a>\n+  <a href="/new">New</a>\n </main>',
      cut: false,
    },
    { path: 'notes.md', change: 'created', diff: '@@ -0,0 +1 @@\n+Every link was checked.', cut: false },
  ],
  more: 0,
};

const worldOf = (change: Parameters<typeof task>[1], shown: TaskDiff = diff): World => ({
  agents: busyAgents(),
  fill: (host) => {
    host.tasks.show([task(1, { goal: 'Check every link', worktree, ...change })]);
    host.tasks.diff = shown;
  },
});

test('Shows branch and changes of an ended task, and merges what was shown', async ({ page, open }) => {
  const { host } = await open(worldOf({ status: 'done', result: 'Two files.' }), '#/work/task:1');
  const card = page.getByRole('region', { name: 'Branch' });
  await expect(card).toContainText('kennel/task-1');
  await expect(card).toContainText('2 files changed, to be merged into main.');
  await card.getByText('src/pages/index.html').click();
  await expect(card.getByRole('region', { name: /index\.html/ })).toContainText('/new');
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Merge' }).click();
  await expect(card).toContainText('Merged. The branch is deleted.');
  const merged = host.calls.find(({ method }) => method === 'tasks.merge');
  expect(merged?.input).toEqual({ task: 1, tree: 'tree-1' });
});

test('Asks before it discards, and keeps a branch whose task still works', async ({ page, open }) => {
  const { host } = await open(worldOf({ status: 'running', runnerId: 'guide' }), '#/work/task:1');
  const card = page.getByRole('region', { name: 'Branch' });
  await expect(card).toContainText('when the task has ended');
  await expect(card.getByRole('button', { name: 'Merge' })).toHaveCount(0);
  host.tasks.change(1, { status: 'done', result: 'Done.' });
  await card.getByRole('button', { name: 'Discard…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('deletes the branch kennel/task-1');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(host.calls.some(({ method }) => method === 'tasks.discard')).toBe(false);
  await card.getByRole('button', { name: 'Discard…' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(card).toContainText('Discarded. The branch is deleted.');
});

for (const [theme, language] of [
  ['light', 'en'],
  ['dark', 'de'],
] as const)
  for (const size of [
    { width: 1280, height: 800 },
    { width: 900, height: 600 },
    { width: 360, height: 740 },
  ])
    test(`Fits at ${size.width} pixels, ${theme}, ${language}`, async ({ page, open }) => {
      await page.addInitScript(
        (chosen) => localStorage.setItem('kennel.look', JSON.stringify({ language: chosen })),
        language,
      );
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.setViewportSize(size);
      await open(worldOf({ status: 'done', result: 'Two files.' }), '#/work/task:1');
      await page.getByText('src/pages/index.html').click();
      const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      await expect.poll(isWider).toBe(false);
      await takePicture(page, `task-branch-${size.width}-${theme}-${language}`);
    });

test('A new task can work on a branch of its own', async ({ page, open }) => {
  const { host } = await open(worldOf({}), '#/work');
  await page.getByLabel('What needs doing?').fill('Mend the links');
  await page.getByRole('button', { name: 'Project, time, limits…' }).click();
  await page.getByLabel('Where it works').selectOption({ label: 'on a branch of its own' });
  await page.getByRole('button', { name: 'Add task' }).click();
  await expect
    .poll(() => host.calls.find(({ method }) => method === 'tasks.add')?.input)
    .toMatchObject({
      goal: 'Mend the links',
      worktree: true,
    });
});
