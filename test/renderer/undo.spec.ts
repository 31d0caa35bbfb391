/** Undo in the window: changes of a step and of a turn as diffs, their revert, and what changed since. */
import { step } from './ask-data.ts';
import { message } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { restorePoint } from './fake-undo.ts';
import { expect, takePicture, test } from './open-page.ts';

const world = (change: World['fill'] = () => undefined): World => ({
  messages: [
    message('m1', {
      text: 'Done.',
      steps: [
        step('c1', { restorePoint: 'undo_1' }),
        step('c2', { restorePoint: 'undo_2', title: 'edited plan.md' }),
      ],
    }),
  ],
  fill: (host) => {
    host.undo.points = [restorePoint('undo_2', { title: 'edited plan.md' }), restorePoint('undo_1')];
    change(host);
  },
});

test('A step with changes shows them as a diff and undoes them; the undo can be taken back', async ({
  page,
  open,
}) => {
  const { host } = await open(world(), '#/chat/ch_general');
  const first = page.getByRole('list', { name: 'What it did' }).getByRole('listitem').first();
  await first.getByRole('button', { name: 'View changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changes by Guide' });
  await expect(dialog.getByText('A new line')).toBeVisible();
  await takePicture(page, 'undo-dialog');
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(host.calls.findLast(({ method }) => method === 'undo.apply')?.input).toMatchObject({
    point: 'undo_1',
    whole: 'call',
    digest: 'shown',
    changed: 'keep',
  });
  await expect(first.getByText('undone')).toBeVisible();
  await expect(first.getByRole('button', { name: 'Redo' })).toBeVisible();
  await takePicture(page, 'undo-chat');
});

test('All changes of a turn are undone together', async ({ page, open }) => {
  const { host } = await open(world(), '#/chat/ch_general');
  await page.getByRole('button', { name: 'Undo all changes of this turn' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('All changes of this turn: 2 calls')).toBeVisible();
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(host.calls.findLast(({ method }) => method === 'undo.apply')?.input).toMatchObject({
    whole: 'turn',
  });
  await expect(page.getByRole('button', { name: 'Undo all changes of this turn' })).toBeHidden();
});

test('A file that changed since is kept unless the person chooses its earlier content', async ({
  page,
  open,
}) => {
  const { host } = await open(
    world((one) => {
      one.undo.files = one.undo.files.map((file) => ({
        ...file,
        state: 'changed',
        since: '@@ -1 +1 @@\n-A new line\n+My line',
      }));
      one.undo.points = one.undo.points.map((point) => ({
        ...point,
        gaps: [{ path: 'big.bin', why: 'too_large' }],
      }));
    }),
    '#/chat/ch_general',
  );
  await page.getByRole('button', { name: 'View changes' }).first().click();
  const dialog = page.getByRole('dialog');
  const undo = dialog.getByRole('button', { name: 'Undo', exact: true });
  await expect(dialog.getByText('My line')).toBeVisible();
  await expect(dialog.getByText('larger than 16 MiB')).toBeVisible();
  await expect(undo).toBeDisabled();
  await dialog.getByRole('radio', { name: 'Restore the earlier content' }).check();
  await takePicture(page, 'undo-changed');
  await undo.click();
  await expect(dialog).toBeHidden();
  expect(host.calls.findLast(({ method }) => method === 'undo.apply')?.input).toMatchObject({
    changed: 'restore',
  });
});

test('The files of an agent list its changes', async ({ page, open }) => {
  await open(world(), '#/agents/guide');
  await page.getByRole('tab', { name: 'Memory and files' }).click();
  await page.getByRole('radio', { name: 'Files' }).click();
  const changes = page.getByRole('region', { name: 'File changes' });
  await expect(changes.getByRole('listitem')).toHaveCount(2);
  await changes.getByRole('button', { name: 'View changes' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Changes by Guide' })).toBeVisible();
});
