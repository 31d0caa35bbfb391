/** A run that has ended, once more: from the beginning, or from one of its steps. */
import { now } from './fake-data.ts';
import { expect, test } from './open-page.ts';
import { runId, step } from './run-data.ts';
import { at, axe, world } from './run-world.ts';

test('it says what happens twice and what is asked again before it begins', async ({ page, open }) => {
  const { host } = await open(world, at(`run:${runId}`));
  await expect(page.getByRole('button', { name: 'Run again' })).toHaveCount(0);
  host.runs.setStep(runId, step('each', { startedAt: now - 1_000 }));
  host.runs.changeRun(runId, { status: 'ok', endedAt: now });
  await page.locator('.run-step').filter({ hasText: 'each' }).getByRole('button').click();
  await page.getByRole('button', { name: 'Run again from here' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run again from “each”' });
  await expect(dialog).toContainText('each[0].deploy');
  await expect(dialog).toContainText('Its file has changed since.');
  await axe(page);
  await page.screenshot({ path: process.env.SHOT ?? test.info().outputPath('from.png') });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Run again', exact: true }).click();
  await page.getByLabel('Use the file as it is now').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  await expect.poll(() => page.url()).toContain('run-again-');
});
