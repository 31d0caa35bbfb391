/** Workflow files and their runs: written, checked, drawn, run, watched, decided. */
import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { now } from './fake-data.ts';
import type { FakeHost, World } from './fake-host.ts';
import { expect, type Page, test } from './open-page.ts';
import {
  brokenText,
  gate,
  gateQuestion,
  inputGate,
  releaseText,
  run,
  runId,
  runsFolder,
  step,
  uncertainGate,
  waitingSteps,
} from './run-data.ts';

const release = `${runsFolder}/release.puppy`;

const fill = (host: FakeHost): void => {
  host.runs.files[release] = releaseText;
  host.runs.files[`${runsFolder}/broken.puppy`] = brokenText;
  host.runs.show(run('run-old'));
  host.runs.show(run('run-bad', { status: 'failed', message: 'Step "test" ended with 1.', name: 'Nightly' }));
  host.runs.show(
    run(runId, { status: 'waiting', endedAt: null, gates: ['gate_1'], stepsDone: 4, costUsd: 0.012 }),
    waitingSteps(),
    [gate('gate_1')],
  );
  host.runs.ask(gateQuestion(gate('gate_1')));
};
const world: World = { fill };
const at = (place: string): string => `#/work/${encodeURIComponent(place)}`;

const axe = async (page: Page): Promise<void> => {
  const found = await new AxeBuilder({ page }).analyze();
  expect(found.violations.map((one) => `${one.id} ${one.nodes[0]?.target.join(' ')}`)).toEqual([]);
};

test('no workflow yet: the page teaches, and an example runs in two clicks with its arguments', async ({
  page,
  open,
}) => {
  const { host } = await open({}, at('workflows'));
  await expect(page.getByRole('heading', { name: 'Work that runs the same way every time' })).toBeVisible();
  await axe(page);
  await page.getByRole('button', { name: 'Run the example “Release checklist”' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(dialog.getByText('This is needed. Such as 1.4.0')).toBeVisible();
  await dialog.getByLabel('version').fill('1.4.0');
  await dialog.getByLabel('servers (optional)').fill('gamma\ndelta');
  await dialog.getByLabel('notify (optional)').selectOption('No');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Release checklist' })).toBeFocused();
  expect(host.calls.find(({ method }) => method === 'runs.start')?.input).toMatchObject({
    args: { version: '1.4.0', servers: ['gamma', 'delta'], mode: 'careful', notify: false },
  });
});

test('files and runs are listed; history is searched and leads to a run', async ({ page, open }) => {
  await open(world, at('workflows'));
  await expect(page.getByRole('region', { name: 'Going on' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText('1 error')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run broken.puppy' })).toBeDisabled();
  await axe(page);
  await page.getByRole('radio', { name: 'History' }).click();
  const rows = page.getByRole('list', { name: 'Runs, newest first' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await page.getByLabel('Find').fill('nightly');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button').press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Nightly' })).toBeFocused();
  await page.getByRole('button', { name: 'Try again what failed' }).click();
  await expect(page.getByRole('button', { name: 'Cancel the run' })).toBeVisible();
});

test('the editor checks while one types, marks lines, leads to them, and saves by keyboard', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`workflow:${runsFolder}/broken.puppy`));
  await expect(page.getByRole('status').filter({ hasText: '1 error' })).toBeVisible();
  await expect(page.locator('.editor-gutter .is-error')).toHaveText('5');
  await page.getByRole('button', { name: /line 5: Step "one": Unknown field "aproval"/ }).press('Enter');
  const text = page.getByLabel('Text of the workflow');
  await expect(text).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('aproval: required');
  await text.fill(
    brokenText.replace('aproval: required', 'effect: pure\n    approval: Go on?').replace('$later', '$one'),
  );
  await expect(page.getByText('No mistakes found. It can run.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'one approval' })).toBeVisible();
  await axe(page);
  await text.press('Control+s');
  await expect(page.getByRole('button', { name: 'Saved' })).toBeDisabled();
  expect(host.runs.files[`${runsFolder}/broken.puppy`]).toContain('approval: Go on?');
});

test('a file that was changed elsewhere is never written over unasked, and what was typed is kept', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`workflow:${release}`));
  const text = page.getByLabel('Text of the workflow');
  await text.fill(`${releaseText}# mine\n`);
  host.runs.files[release] = `${releaseText}# theirs\n`;
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Nothing was written; your text is still here.');
  await page
    .getByRole('tab')
    .first()
    .or(page.getByRole('button', { name: 'All workflows' }))
    .click();
  await page.goBack();
  await expect(text).toHaveValue(/# mine/);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Keep mine…' }).click();
  await page.getByRole('button', { name: 'Write over it' }).click();
  await expect(page.getByRole('button', { name: 'Saved' })).toBeDisabled();
  expect(host.runs.files[release]).toMatch(/# mine\n$/);
});

test('a file that was changed elsewhere is shown as it is now before it runs; unsaved text is told when the window comes back', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`workflow:${release}`));
  const text = page.getByLabel('Text of the workflow');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await expect(text).toHaveValue(releaseText);
  host.runs.files[release] = `${releaseText}# theirs\n`;
  await run.click();
  await expect(page.getByText('The file was changed elsewhere. This is what it says now.')).toBeVisible();
  await expect(text).toHaveValue(/# theirs/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await run.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await text.fill(`${releaseText}# mine\n`);
  host.runs.files[release] = `${releaseText}# theirs again\n`;
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('alert')).toContainText('your text is still here');
  await expect(text).toHaveValue(/# mine/);
  await page.getByRole('button', { name: 'Take the changed file' }).click();
  await expect(text).toHaveValue(/# theirs again/);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('an example is read only and is copied into a file of one’s own; names leave the folder nowhere', async ({
  page,
  open,
}) => {
  const { host } = await open({}, at('workflows'));
  await page.getByRole('button', { name: 'Release checklist greeting.puppy' }).click();
  await expect(page.getByLabel('Text of the workflow')).toHaveAttribute('readonly', '');
  await page.getByRole('button', { name: 'Copy to my workflows' }).click();
  await page.getByLabel('File name').fill('../outside');
  await expect(page.getByText('Use letters, digits')).toBeVisible();
  await page.getByLabel('File name').fill('office/mine');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByLabel('Text of the workflow')).not.toHaveAttribute('readonly', '');
  expect(host.runs.files[`${runsFolder}/office/mine.puppy`]).toBe(releaseText);
});

test('the graph is walked by arrow keys, told as a list, and made larger by keys', async ({ page, open }) => {
  await open(world, at(`workflow:${release}`));
  const picture = page.getByRole('group', { name: /Steps: arrow keys/ });
  await picture
    .getByRole('button', { name: 'Start' })
    .or(picture.getByRole('button').first())
    .first()
    .focus();
  await page.keyboard.press('ArrowDown');
  await expect(picture.getByRole('button', { name: 'checks side by side' })).toBeFocused();
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

test('a run is followed live: steps, output on demand, retries, the end', async ({ page, open }) => {
  const { host } = await open(world, at(`run:${runId}`));
  const picture = page.getByRole('group', { name: /Steps: arrow keys/ });
  await expect(picture.getByRole('button', { name: 'approve approval waits for a person' })).toBeVisible();
  await expect(page.locator('.run-step')).toHaveCount(5);
  await expect(page.locator('.run-step').nth(1)).toContainText('2 tries');
  const edges = await page
    .locator('.run-step')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().left));
  expect(new Set(edges).size, 'one below the other').toBe(1);
  await axe(page);
  await picture.getByRole('button', { name: 'notes model done' }).click();
  await expect(page.locator('.run-step')).toHaveCount(1);
  await page.locator('.run-step').getByRole('button').press('Enter');
  await page.getByRole('button', { name: 'Show all of it' }).click();
  await expect(page.getByText('all of notes')).toBeVisible();
  await page.getByRole('button', { name: 'Show all steps' }).click();
  const round = { effect: 'once', startedAt: now - 1_000 } as const;
  host.runs.setStep(
    runId,
    step('each[0].deploy', { ...round, state: 'retrying', endedAt: null, retryAt: now + 60_000 }),
  );
  await expect(picture.getByRole('button', { name: 'deploy command will be tried again' })).toBeVisible();
  host.runs.setStep(runId, step('each[0].deploy', { ...round, state: 'failed', error: 'exit 1' }));
  await expect(picture.getByRole('button', { name: 'deploy command failed' })).toBeVisible();
  await page.locator('.run-step').nth(1).getByRole('button').click();
  host.runs.changeRun(runId, { status: 'failed', endedAt: now, message: 'Step "deploy" ended with 1.' });
  await expect(page.locator('.run-status')).toContainText('failed Step "deploy" ended with 1.');
  await expect(page.getByRole('region', { name: 'Output', exact: true })).toContainText('done');
  await axe(page);
});

test('who decided what, and what they saw, stands in the run; the journal says whether it is whole', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`run:${runId}`));
  host.runs.setGate(
    runId,
    gate('gate_1', { decision: 'approve', decidedBy: 'kit', decidedAt: now, votes: ['ada'] }),
  );
  await page.getByRole('tab', { name: 'Decisions (1)' }).click();
  const decisions = page.locator('.decisions');
  await expect(decisions).toContainText('Approved · kit');
  await expect(decisions).toContainText('Hash of what was shown: b1946ac9');
  host.runs.setGate(
    runId,
    gate('gate_1', { decision: 'reject', decidedBy: 'kit', decidedAt: now, reason: 'Wait for the audit' }),
  );
  await expect(decisions).toContainText('Rejected · kit');
  await expect(decisions).toContainText('“Wait for the audit”');
  await page.getByRole('tab', { name: 'File of this run' }).click();
  await expect(page.getByLabel('File of this run').locator('textarea')).toHaveValue(/Release checklist/);
  host.runs.events = [
    { seq: 1, at: now, kind: 'run_created', path: '', json: '{"type":"run_created"}', previous: 'aa11' },
  ];
  host.runs.verified = false;
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByRole('alert')).toContainText('The journal is broken');
  await page.getByText('run_created').click();
  await expect(page.getByText('Hash of the row before: aa11')).toBeVisible();
});

test('a journal is saved whole, however little of it is in sight; a long saving tells how far it is and can be left', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`run:${runId}`));
  host.runs.events = Array.from({ length: 2_500 }, (_, index) => ({
    ...{ seq: index + 1, at: now, kind: 'step_ended', path: `s${index}`, json: '{}', previous: 'aa11' },
  }));
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.locator('.raw-list > li')).toHaveCount(200);
  await page.getByRole('button', { name: 'Show more rows' }).click();
  await expect(page.locator('.raw-list > li')).toHaveCount(400);
  await expect(page.getByText('Every row follows from the one before it.')).toBeVisible();
  const save = page.getByRole('button', { name: 'Save all 2,500 rows' });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const saved = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(saved.events.map(({ seq }: { seq: number }) => seq)).toEqual(host.runs.events.map(({ seq }) => seq));
  expect(saved.run.id).toBe(runId);
  await expect(page.getByText('2,500 rows were saved.')).toBeVisible();
  let goOn = (): void => undefined;
  host.held.set('runs.log', new Promise((resolve) => (goOn = resolve)));
  const downloads: unknown[] = [];
  page.on('download', (one) => downloads.push(one));
  await save.click();
  await expect(page.getByText('Row 0 of 2,500')).toBeVisible();
  await axe(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  goOn();
  await expect(save).toBeVisible();
  host.held.delete('runs.log');
  host.failing.set('runs.log', { code: 'io_error', message: 'The disk is gone.' });
  await save.click();
  await expect(page.getByRole('alert')).toContainText('The disk is gone.');
  expect(downloads).toEqual([]);
});

test('a gate with items, named people and votes is approved or rejected from the inbox', async ({
  page,
  open,
}) => {
  const { host } = await open(world, '#/inbox');
  const card = page.getByRole('article');
  await expect(card.getByRole('list', { name: '2 items' }).getByRole('listitem')).toHaveCount(2);
  await expect(card).toContainText('ada, kit');
  await expect(card).toContainText('1 of 2: kit');
  await expect(card.getByRole('button', { name: 'Reject', exact: true })).toBeFocused();
  await axe(page);
  await page.waitForTimeout(600);
  await card.getByRole('button', { name: 'Approve' }).click();
  expect(host.calls.findLast(({ method }) => method === 'approvals.decide')?.input).toMatchObject({
    id: 'gate_1',
    answer: { type: 'allow', scope: 'once' },
  });
});

test('a reason that stands beside a plain Reject goes with it; one that was closed again does not', async ({
  page,
  open,
}) => {
  const { host } = await open(world, '#/inbox');
  const card = page.getByRole('article');
  const reject = card.getByRole('button', { name: 'Reject', exact: true });
  const more = card.getByRole('button', { name: 'Reject with a reason…' });
  const answer = (): unknown =>
    host.calls.flatMap(({ method, input }) =>
      method === 'approvals.decide' ? [(input as { answer: unknown }).answer] : [],
    );
  await expect(reject).toBeFocused();
  await page.waitForTimeout(600);
  host.failing.set('approvals.decide', { code: 'io_error', message: 'The disk is full.' });
  await more.click();
  await card.getByLabel('Reason').fill('  Wait for the audit ');
  await more.click();
  await reject.click();
  const [silent, said] = ['', 'Wait for the audit'].map((reason) => ({ type: 'deny', reason }));
  await expect.poll(answer).toEqual([silent]);
  await more.click();
  await expect(card.getByLabel('Reason')).toHaveValue('  Wait for the audit ');
  await reject.click();
  await expect.poll(answer).toEqual([silent, said]);
});

test('a gate that wants an answer asks for it by its schema; one of a crash has three plain ways', async ({
  page,
  open,
}) => {
  const { host } = await open(
    { fill: (all) => all.runs.ask(gateQuestion(inputGate())) },
    '#/approval/gate_input',
  );
  await page.waitForTimeout(600);
  const send = page.getByRole('button', { name: 'Send this answer' });
  await send.click();
  await expect(page.getByText('This is needed.')).toBeVisible();
  await page.getByLabel('What now').selectOption('redraft');
  await page.getByLabel('labels (optional)').fill('team\nlong');
  await page.getByLabel('urgent (optional)').selectOption('Yes');
  await axe(page);
  await send.click();
  expect(host.calls.findLast(({ method }) => method === 'approvals.decide')?.input).toMatchObject({
    answer: {
      type: 'respond',
      response: {
        decision: 'redraft',
        count: 3,
        urgent: true,
        labels: ['team', 'long'],
        from: { name: 'Ada' },
      },
    },
  });
  host.runs.ask(gateQuestion(uncertainGate()));
  await page.getByRole('link', { name: /Next question/ }).click();
  await expect(page.getByText('The run goes on behind this step.')).toBeVisible();
  await axe(page);
  await page.waitForTimeout(600);
  await page.getByRole('button', { name: 'It was done' }).click();
  expect(host.calls.findLast(({ method }) => method === 'approvals.decide')?.input).toMatchObject({
    answer: { type: 'settle', how: 'done' },
  });
});

test('home and the commands lead to runs, to their history and to a new workflow; what waits can be cancelled', async ({
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
  await page.keyboard.type('new workflow');
  await page.keyboard.press('Enter');
  await page.getByLabel('File name').fill('mine');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Text of the workflow')).toHaveValue(/id: greet/);
  await expect(page.getByText('No mistakes found. It can run.')).toBeVisible();
});

for (const theme of ['dark', 'contrast'] as const)
  test(`files, editor, run and gates pass axe, ${theme}`, async ({ page, open }) => {
    await page.addInitScript(
      (look) => localStorage.setItem('kennel.look', JSON.stringify({ theme: look })),
      theme,
    );
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' });
    const { url } = await open(world, at(`workflow:${runsFolder}/broken.puppy`));
    await expect(page.getByRole('status').filter({ hasText: '1 error' })).toBeVisible();
    await axe(page);
    await page.goto(`${url}${at(`run:${runId}`)}`);
    await page.locator('.run-step').first().getByRole('button').click();
    await axe(page);
  });

test('hostile words of a file and of a step are shown letter by letter and reach nothing (T21)', async ({
  page,
  open,
}) => {
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
