/** Snapshots in the window: the timeline, taking one with a label, what changed since one, its restore and removal. */
import type { World } from './fake-host.ts';
import { snapshot } from './fake-undo.ts';
import { expect, takePicture, test } from './open-page.ts';

const world = (): World => ({
  fill: (host) => {
    host.undo.snapshots = [
      snapshot('snap_2', { gaps: 2 }),
      snapshot('snap_1', { label: 'before the rewrite', reason: 'asked', about: null }),
    ];
  },
});

test('The timeline takes, compares, restores and removes snapshots', async ({ page, open }) => {
  const { host } = await open(world(), '#/agents/guide');
  await page.getByRole('tab', { name: 'Memory and files' }).click();
  await page.getByRole('radio', { name: 'Files' }).click();
  const timeline = page.getByRole('region', { name: 'Snapshots' });
  await expect(timeline.getByRole('listitem')).toHaveCount(2);
  await expect(timeline.getByRole('listitem').first()).toContainText('2 paths not saved');
  await takePicture(page, 'snapshots-timeline');

  await timeline.getByLabel('Label (optional)').fill('now');
  await timeline.getByRole('button', { name: 'Take a snapshot' }).click();
  await expect(timeline.getByRole('listitem')).toHaveCount(3);
  await expect(timeline.getByRole('listitem').first()).toContainText('now');
  await expect(timeline.getByLabel('Label (optional)')).toHaveValue('');

  await timeline.getByRole('button', { name: 'Changes since the snapshot “before the rewrite”' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changes since the snapshot “before the rewrite”' });
  await expect(dialog.getByText('A new line')).toBeVisible();
  await expect(dialog.getByText('a folder of generated files')).toBeVisible();
  await takePicture(page, 'snapshots-dialog');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog).toBeHidden();
  expect(host.calls.findLast(({ method }) => method === 'snapshots.restore')?.input).toMatchObject({
    agent: 'guide',
    snapshot: 'snap_1',
    digest: 'shown',
  });
  await expect(timeline.getByRole('listitem')).toHaveCount(4);

  await timeline.getByRole('button', { name: 'Remove the snapshot now' }).click();
  await expect(timeline.getByRole('listitem')).toHaveCount(3);
});
