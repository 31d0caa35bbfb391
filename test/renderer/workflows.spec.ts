/** Workflow files: written, checked, drawn, run, and linked to their runs. */

import type { Locator } from '@playwright/test';
import { textError } from '../../src/contract/errors.ts';
import { expectAccessible } from './axe.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, takePicture, test } from './open-page.ts';
import { brokenText, gate, gateQuestion, releaseText, run, runId, runsFolder, step } from './run-data.ts';
import { at, release, world } from './run-world.ts';

/** Replaces the text of the editor by pasting, with the cursor behind it. */
async function write(text: Locator, value: string): Promise<void> {
  await text.press('Control+a');
  await text.evaluate((node, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    node.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, value);
}

/** The editor draws only lines near the visible ones. */
async function expectEnd(text: Locator, words: string): Promise<void> {
  await expect(async () => {
    await text.press('Control+End');
    expect(await text.textContent()).toContain(words);
  }).toPass();
}

test('Without workflows the page explains them and runs an example with arguments in two clicks', async ({
  page,
  open,
}) => {
  const { host } = await open({}, at('workflows'));
  await expect(page.getByRole('heading', { name: 'Work that runs the same way every time' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Run the example “Release checklist”' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(dialog.getByText('Required. Such as 1.4.0')).toBeVisible();
  await dialog.getByLabel('version').fill('1.4.0');
  await dialog.getByLabel('servers (optional)').fill('gamma\ndelta');
  await dialog.getByLabel('notify (optional)').selectOption('No');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Release checklist' })).toBeFocused();
  expect(host.calls.find(({ method }) => method === 'runs.start')?.input).toMatchObject({
    args: { version: '1.4.0', servers: ['gamma', 'delta'], mode: 'careful', notify: false },
  });
});

test('Files and runs are listed; the history is searched and opens a run', async ({ page, open }) => {
  await open(world, at('workflows'));
  await expect(page.getByRole('region', { name: 'Running' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText('1 error')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run broken.puppy' })).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'History' }).click();
  const rows = page.getByRole('list', { name: 'Runs' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await page.getByLabel('Find').fill('nightly');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button').press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Nightly' })).toBeFocused();
  await page.getByRole('button', { name: 'Retry failed steps' }).click();
  await expect(page.getByRole('button', { name: 'Cancel the run' })).toBeVisible();
});

test('The editor checks while typing, marks and links errors, and saves by keyboard', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`workflow:${runsFolder}/broken.puppy`));
  await expect(page.getByRole('status').filter({ hasText: '1 error' })).toBeVisible();
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(1);
  await page
    .getByRole('button', { name: /line 5, column 5: Step "one": Unknown field "aproval"/ })
    .press('Enter');
  const text = page.getByLabel('Text of the workflow');
  await expect(text).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('aproval: required');
  await write(
    text,
    brokenText.replace('aproval: required', 'effect: pure\n    approval: Go on?').replace('$later', '$one'),
  );
  await expect(page.getByText('No errors. Ready to run.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'one approval' })).toBeVisible();
  await expectAccessible(page);
  await text.press('Control+s');
  await expect(page.getByRole('button', { name: 'Saved' })).toBeDisabled();
  expect(host.runs.files[`${runsFolder}/broken.puppy`]).toContain('approval: Go on?');
});

test('A file changed elsewhere is overwritten only on request, and typed text is kept', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`workflow:${release}`));
  const text = page.getByLabel('Text of the workflow');
  await write(text, `${releaseText}# mine\n`);
  host.runs.files[release] = `${releaseText}# theirs\n`;
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Nothing was written; your text is still here.');
  await page
    .getByRole('tab')
    .first()
    .or(page.getByRole('button', { name: 'All workflows' }))
    .click();
  await page.goBack();
  await expectEnd(text, '# mine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Keep mine…' }).click();
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect(page.getByRole('button', { name: 'Saved' })).toBeDisabled();
  expect(host.runs.files[release]).toMatch(/# mine\n$/);
});

test('A file changed elsewhere is reloaded before a run; unsaved text is reported on window focus', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`workflow:${release}`));
  const text = page.getByLabel('Text of the workflow');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await expect(text).toContainText(releaseText.split('\n')[0] ?? '');
  host.runs.files[release] = `${releaseText}# theirs\n`;
  await run.click();
  await expect(page.getByText('The file was changed elsewhere. This is its current text.')).toBeVisible();
  await expectEnd(text, '# theirs');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await run.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await write(text, `${releaseText}# mine\n`);
  host.runs.files[release] = `${releaseText}# theirs again\n`;
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('alert')).toContainText('your text is still here');
  await expectEnd(text, '# mine');
  await page.getByRole('button', { name: 'Use the changed file' }).click();
  await expectEnd(text, '# theirs again');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('An example is read-only and can be copied to an own file, whose name stays inside the folder', async ({
  page,
  open,
}) => {
  const { host } = await open({}, at('workflows'));
  await page.getByRole('button', { name: 'Release checklist greeting.puppy' }).click();
  await expect(page.getByLabel('Text of the workflow')).toHaveAttribute('aria-readonly', 'true');
  await page.getByRole('button', { name: 'Copy to my workflows' }).click();
  await page.getByLabel('File name').fill('../outside');
  await expect(page.getByText('Use letters, digits')).toBeVisible();
  await page.getByLabel('File name').fill('office/mine');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByLabel('Text of the workflow')).not.toHaveAttribute('aria-readonly');
  expect(host.runs.files[`${runsFolder}/office/mine.puppy`]).toBe(releaseText);
});

test('The editor completes fields, values and references by keyboard', async ({ page, open }) => {
  const { host } = await open(world, at(`workflow:${release}`));
  const text = page.getByLabel('Text of the workflow');
  await write(text, 'name: x\nsteps:\n  - id: draft\n    run: echo a\n  - id: next\n    ');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await page.keyboard.type('on_e');
  await expect(list.getByRole('option', { name: 'on_error' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Space');
  await expect(list.getByRole('option')).toHaveText(['stop', 'continue', 'skip_rest']);
  await page.keyboard.type('con');
  await expect(list.getByRole('option')).toHaveText(['continue']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: /Help about the field/ })).toContainText('After a failure');
  const beside = page.locator('.cm-cursor-help');
  await expect(beside).toContainText('After a failure');
  await takePicture(page, 'workflow-cursor-help');
  await page.keyboard.press('Escape');
  await expect(beside).toHaveCount(0);
  await page.keyboard.press('Enter');
  await page.keyboard.type('stdin: $dr');
  await expect(list.getByRole('option', { name: '$draft' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('.std');
  await expect(list.getByRole('option', { name: 'stdout' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('button', { name: 'Saved' })).toBeDisabled();
  expect(host.runs.files[release]).toMatch(/ {4}on_error: continue\n {4}stdin: \$draft\.stdout$/);
});

test('The menu inserts a step behind the one at the cursor; Escape, then Tab leaves the editor', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`workflow:${release}`));
  const text = page.getByLabel('Text of the workflow');
  await write(text, 'name: x\nsteps:\n  - id: one\n    run: echo a\n  - id: two\n    run: echo b\n');
  await page.keyboard.press('Control+Home');
  for (let line = 0; line < 3; line += 1) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('status').filter({ hasText: 'Unsaved changes' })).toBeVisible();
  await page.getByRole('button', { name: 'Insert step' }).click();
  await page.getByRole('menuitem', { name: /^approval/ }).click();
  await expect(text).toBeFocused();
  await page.keyboard.type('sure');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('button', { name: 'Saved' })).toBeDisabled();
  expect(host.runs.files[release]).toContain(
    'run: echo a\n  - id: sure\n    approval:\n      prompt: "Continue?"\n  - id: two\n',
  );
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Tab');
  await expect(text).toBeFocused();
  await expect(page.getByRole('region', { name: /Help about the field/ })).toContainText('Escape, then Tab');
  // With a selection, which Escape clears too.
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  await page.keyboard.press('Tab');
  await expect(text).toBeFocused();
  await page.keyboard.press('Shift+Home');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(text).not.toBeFocused();
});

test('Escape closes the menu of steps and returns the focus to its button', async ({ page, open }) => {
  await open(world, at(`workflow:${release}`));
  const insert = page.getByRole('button', { name: 'Insert step' });
  await insert.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(insert).toBeFocused();
});

test('A failed save keeps the text, and so does a save during which typing goes on', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`workflow:${release}`));
  const text = page.getByLabel('Text of the workflow');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await write(text, `${releaseText}# one\n`);
  host.failing.set('workflows.save', textError('unavailable', 'The disk is full.'));
  await save.click();
  await expect(page.getByRole('alert')).toContainText('The disk is full.');
  await expectEnd(text, '# one');
  await expect(save).toBeEnabled();
  host.failing.clear();
  let answer = (): void => undefined;
  const held = new Promise<void>((done) => {
    answer = done;
  });
  host.held.set('workflows.save', held);
  await save.click();
  await expect(page.getByRole('button', { name: 'Saving…' })).toBeDisabled();
  await text.press('Control+End');
  await page.keyboard.type('# two');
  answer();
  await expect(save).toBeEnabled();
  expect(host.runs.files[release]).toMatch(/# one\n$/);
  await expectEnd(text, '# two');
  await text.press('Control+s');
  await expect(page.getByRole('button', { name: 'Saved' })).toBeDisabled();
  expect(host.runs.files[release]).toMatch(/# one\n# two$/);
});

test('Fast typing on a slow computer loses no letter, and Ctrl+S saves the last one', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`workflow:${release}`));
  const text = page.getByLabel('Text of the workflow');
  await write(text, '#');
  const slow = await page.context().newCDPSession(page);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const letters = [...'abcdefghij'.repeat(7)];
  await Promise.all(letters.map((letter) => page.keyboard.insertText(letter)));
  await page.keyboard.press('Control+s');
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await expect(page.getByRole('button', { name: 'Saved' })).toBeDisabled();
  expect(host.runs.files[release]).toBe(`#${letters.join('')}`);
});

test('Save stays in sight beside a long text, also in a narrow window', async ({ page, open }) => {
  await open(world, at(`workflow:${release}`));
  await write(page.getByLabel('Text of the workflow'), `${releaseText}${'# line\n'.repeat(200)}`);
  for (const width of [1280, 900, 360]) {
    await page.setViewportSize({ width, height: 600 });
    await page.locator('.findings').scrollIntoViewIfNeeded();
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeInViewport({ ratio: 1 });
  }
});

test('A browser asks before a tab with unsaved text closes', async ({ page, open }) => {
  await open(world, at(`workflow:${release}`));
  const text = page.getByLabel('Text of the workflow');
  await write(text, `${releaseText}# mine\n`);
  await expect(page.getByRole('status').filter({ hasText: 'Unsaved changes' })).toBeVisible();
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await expectEnd(text, '# mine');
});

test('An example becomes an own workflow with one click, under a free name', async ({ page, open }) => {
  const { host } = await open({}, at('workflows'));
  const use = page.getByRole('button', { name: 'Use as a start: Release checklist' });
  await use.click();
  await expect(page.getByLabel('Text of the workflow')).not.toHaveAttribute('aria-readonly');
  expect(host.runs.files[`${runsFolder}/greeting.puppy`]).toBe(releaseText);
  await page.getByRole('button', { name: 'All workflows' }).click();
  await use.click();
  await expect(page.getByText(`${runsFolder}/greeting-2.puppy`)).toBeVisible();
});

test('The graph can be navigated by arrow keys, read as a list, and zoomed by keys', async ({
  page,
  open,
}) => {
  await open(world, at(`workflow:${release}`));
  const picture = page.getByRole('group', { name: /Steps: use the arrow keys/ });
  await picture
    .getByRole('button', { name: 'Start' })
    .or(picture.getByRole('button').first())
    .first()
    .focus();
  await page.keyboard.press('ArrowDown');
  await expect(picture.getByRole('button', { name: 'checks parallel' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(picture.getByRole('button', { name: 'audit command' })).toBeFocused();
  const before = await picture.evaluate((one) => one.clientWidth);
  await page.keyboard.press('+');
  await expect.poll(() => picture.evaluate((one) => one.clientWidth)).toBeGreaterThan(before);
  await page.getByText('As a list').click();
  await expect(page.locator('.flow-list')).toContainText('approve · approval · a person decides');
  await expect(page.locator('.flow-list')).toContainText('undo (rejected)');
});

test('Home and the palette open runs, history and a new workflow; a waiting run can be cancelled', async ({
  page,
  open,
}) => {
  const { host } = await open(world, '#/home');
  await page.getByRole('button', { name: /Release checklist waiting/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Release checklist' })).toBeFocused();
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
  await expect(page.locator('.run-status')).toContainText('cancelled');
  expect(host.calls.filter(({ method }) => method === 'runs.cancel')).toHaveLength(1);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox')).toBeFocused();
  await page.keyboard.type('new workflow');
  await page.keyboard.press('Enter');
  await page.getByLabel('File name').fill('mine');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Text of the workflow')).toContainText('id: greet');
  await expect(page.getByText('No errors. Ready to run.')).toBeVisible();
});

for (const theme of ['dark', 'contrast'] as const)
  test(`Files, editor, run and gates pass axe, ${theme}`, async ({ page, open }) => {
    await page.addInitScript(
      (look) => localStorage.setItem('kennel.look', JSON.stringify({ theme: look })),
      theme,
    );
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' });
    const { url } = await open(world, at(`workflow:${runsFolder}/broken.puppy`));
    await expect(page.getByRole('status').filter({ hasText: '1 error' })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${url}${at(`run:${runId}`)}`);
    await page.locator('.run-step').first().getByRole('button').click();
    await expectAccessible(page);
  });

test('Hostile text in a file or step is shown as text and loads nothing (T21)', async ({ page, open }) => {
  const evil = '<img src=x onerror=alert(1)>\u202Egnp.exe';
  const hostile = (host: FakeHost): void => {
    host.runs.show(
      run(runId, { name: evil, message: evil, status: 'failed', file: '' }),
      [step('test', { output: evil, error: evil, state: 'failed' })],
      [gate('gate_1', { prompt: evil, items: [JSON.stringify({ [evil]: evil })], preview: evil })],
    );
    host.runs.ask(gateQuestion(gate('gate_1', { prompt: evil, items: [JSON.stringify(evil)] })));
  };
  const { host } = await open({ fill: hostile }, at(`run:${runId}`));
  await page.locator('.run-step').getByRole('button').click();
  await expect(page.locator('.step-details')).toContainText('<img src=x');
  await page.getByRole('tab', { name: /Decisions/ }).click();
  await expect(page.locator('.decisions')).toContainText('[U+202E]');
  expect(await page.locator('.workflow-page img').count()).toBe(0);
  expect(await page.locator('.workflow-page').innerText()).not.toContain('\u202E');
  expect(host.requests.filter((path) => path.endsWith('/x'))).toEqual([]);
});
