/** Starting an ended run again: from the beginning, or from one of its steps. */
import { expectAccessible } from './axe.ts';
import { now } from './fake-data.ts';
import { again } from './fake-runs.ts';
import { expect, takePicture, test } from './open-page.ts';
import { runId, step } from './run-data.ts';
import { at, world } from './run-world.ts';

test('The dialog lists repeated steps and new questions before the run starts again', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`run:${runId}`));
  await expect(page.getByRole('button', { name: 'Run again' })).toHaveCount(0);
  host.runs.setStep(runId, step('each', { startedAt: now - 1_000 }));
  host.runs.changeRun(runId, { status: 'ok', endedAt: now });
  await page.locator('.run-step').filter({ hasText: 'each' }).getByRole('button').click();
  await page.getByRole('button', { name: 'Run again from here' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run again from “each”' });
  await expect(dialog).toContainText('each[0].deploy');
  await expect(dialog).toContainText('Its file has changed since.');
  await expectAccessible(page);
  await takePicture(page, 'run-again');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Run again', exact: true }).click();
  await page.getByLabel('Use the file as it is now').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  await expect.poll(() => page.url()).toContain('run-again-');
});

test('A step that cannot be the start shows why and offers one that can', async ({ page, open }) => {
  const { host } = await open(world, at(`run:${runId}`));
  host.runs.places.tell = again('tell', [], [], {
    refusal: "The steps after 'approve' depend on an answer, and an answer counts only in its own run.",
    nearest: 'approve',
  });
  const many = Array.from({ length: 60 }, (_, n) => `each[${n}].deploy`);
  host.runs.places.approve = again('approve', [], many.slice(0, 50), {
    once: { paths: many.slice(0, 50), all: 60 },
  });
  host.runs.setStep(runId, step('tell', { startedAt: now - 1_000 }));
  host.runs.changeRun(runId, { status: 'ok', endedAt: now });
  await page.locator('.run-step').filter({ hasText: 'tell' }).getByRole('button').click();
  await expect(page.locator('.again-refused')).toContainText('an answer counts only in its own run');
  await takePicture(page, 'run-again-refused');
  await page.getByRole('button', { name: 'Run again from “approve”' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run again from “approve”' });
  await expect(dialog.getByRole('listitem')).toHaveCount(9);
  await expect(dialog).toContainText('and 52 more');
});
