/** Workflow runs: watched live, decided, and read afterwards. */
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { now } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, settle, takePicture, test } from './open-page.ts';
import { gate, gateQuestion, inputGate, runId, step, uncertainGate } from './run-data.ts';
import { at, world } from './run-world.ts';

const decided = (host: FakeHost) => host.calls.findLast(({ method }) => method === 'approvals.decide')?.input;

test('A run is followed live: steps, output on demand, retries and its end', async ({ page, open }) => {
  const { host } = await open(world, at(`run:${runId}`));
  const picture = page.getByRole('group', { name: /Steps: use the arrow keys/ });
  await expect(picture.getByRole('button', { name: 'approve approval waits for a person' })).toBeVisible();
  await expect(page.locator('.run-step')).toHaveCount(5);
  await expect(page.locator('.run-step').nth(1)).toContainText('2 tries');
  const edges = await page
    .locator('.run-step')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().left));
  expect(new Set(edges).size, 'one below the other').toBe(1);
  await expectAccessible(page);
  await picture.getByRole('button', { name: 'notes model done' }).click();
  await expect(page.locator('.run-step')).toHaveCount(1);
  await page.locator('.run-step').getByRole('button').press('Enter');
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await expect(page.getByText('all of notes')).toBeVisible();
  await page.getByRole('button', { name: 'Show all steps' }).click();
  const round = { effect: 'once', startedAt: now - 1_000 } as const;
  host.runs.setStep(
    runId,
    step('each[0].deploy', { ...round, state: 'retrying', endedAt: null, retryAt: now + 60_000 }),
  );
  await expect(picture.getByRole('button', { name: 'deploy command will be retried' })).toBeVisible();
  host.runs.setStep(runId, step('each[0].deploy', { ...round, state: 'failed', error: 'exit 1' }));
  await expect(picture.getByRole('button', { name: 'deploy command failed' })).toBeVisible();
  await page.locator('.run-step').nth(1).getByRole('button').click();
  host.runs.changeRun(runId, { status: 'failed', endedAt: now, message: 'Step "deploy" ended with 1.' });
  await expect(page.locator('.run-status')).toContainText('failed Step "deploy" ended with 1.');
  await expect(page.getByRole('region', { name: 'Output', exact: true })).toContainText('done');
  await expectAccessible(page);
});

test('A run shows who decided what and what they saw; the journal reports whether it is intact', async ({
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
  await expect(page.getByRole('textbox', { name: 'File of this run' })).toContainText('Release checklist');
  host.runs.events = [
    { seq: 1, at: now, kind: 'run_created', path: '', json: '{"type":"run_created"}', previous: 'aa11' },
  ];
  host.runs.verified = false;
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.getByRole('alert')).toContainText('The journal is broken');
  await page.getByText('run_created').click();
  await expect(page.getByText('Hash of the previous row: aa11')).toBeVisible();
});

test('A journal is exported completely; a long export shows progress and can be cancelled', async ({
  page,
  open,
}) => {
  const { host } = await open(world, at(`run:${runId}`));
  host.runs.events = Array.from({ length: 2_500 }, (_, index) => ({
    seq: index + 1,
    at: now,
    kind: 'step_ended',
    path: `s${index}`,
    json: '{}',
    previous: 'aa11',
  }));
  await page.getByRole('tab', { name: 'Journal' }).click();
  await expect(page.locator('.raw-list > li')).toHaveCount(200);
  await page.getByRole('button', { name: 'Show more rows' }).click();
  await expect(page.locator('.raw-list > li')).toHaveCount(400);
  await expect(page.getByText('The journal is intact: each row matches the one before.')).toBeVisible();
  const save = page.getByRole('button', { name: 'Save all 2,500 rows' });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(file.suggestedFilename()).toBe(`run-${runId.slice(0, 8)}.jsonl`);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
  const [first, ...events] = lines.map((line) => JSON.parse(line));
  expect(first).toMatchObject({ kind: 'kennel-run', run: runId, events: 2_500 });
  expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(host.runs.events.map(({ seq }) => seq));
  await expect(page.getByText('2,500 rows were saved.')).toBeVisible();
  let goOn = (): void => undefined;
  host.held.set('runs.piece', new Promise((resolve) => (goOn = resolve)));
  const downloads: unknown[] = [];
  page.on('download', (one) => downloads.push(one));
  await save.click();
  await expect(page.getByText('Row 0 of 2,500')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  goOn();
  await expect(save).toBeVisible();
  host.held.delete('runs.piece');
  host.failing.set('runs.piece', { code: 'io_error', message: 'The disk is gone.' });
  await save.click();
  await expect(page.getByRole('alert')).toContainText('The disk is gone.');
  expect(downloads).toEqual([]);
});

test('A gate with items, named approvers and votes can be approved or rejected in the inbox', async ({
  page,
  open,
}) => {
  const { host } = await open(world, '#/inbox');
  const card = page.getByRole('article');
  await expect(card.getByRole('list', { name: '2 items' }).getByRole('listitem')).toHaveCount(2);
  await expect(card).toContainText('you, kit');
  await expect(card).toContainText('1 of 2: kit');
  await expect(card.getByRole('button', { name: 'Reject', exact: true })).toBeFocused();
  await expectAccessible(page);
  await settle(page);
  await card.getByRole('button', { name: 'Approve' }).click();
  await expect
    .poll(() => decided(host))
    .toMatchObject({
      id: 'gate_1',
      answer: { type: 'allow', scope: 'once' },
    });
});

test('A gate for other approvers shows who decides and has no approve button', async ({ page, open }) => {
  const others = gate('gate_1', { named: ['kit', 'robin'], votes: [] });
  const { host } = await open({ fill: (house) => house.runs.ask(gateQuestion(others)) }, '#/inbox');
  const card = page.getByRole('article');
  await expect(card.getByRole('status')).toContainText('is up to other people');
  await expect(card).toContainText('kit, robin');
  await expect(card.getByRole('button', { name: /Approve|Reject/ })).toHaveCount(0);
  await settle(page);
  await card.getByRole('button', { name: 'Not now' }).click();
  await expect
    .poll(() => host.calls.findLast(({ method }) => method === 'approvals.decide')?.input)
    .toMatchObject({ answer: { type: 'not_now' } });
});

test('A gate whose approvers nobody asked names them and the channel that reaches them', async ({
  page,
  open,
}) => {
  const others = gate('gate_1', { named: ['you-3f9a', 'kit', 'robin'], votes: [] });
  const question = gateQuestion(others);
  const { host } = await open(
    { fill: (house) => house.runs.ask({ ...question, isInChannel: false }) },
    '#/inbox',
  );
  const card = page.getByRole('article');
  await expect(card).toContainText(
    'Not asked yet: kit and robin. Make an encrypted channel with only you, kit and robin and a running agent of yours.',
  );
  await takePicture(page, 'runs-not-asked');
  host.feed.patch('approvals', { op: 'set', path: ['waiting', 'gate_1', 'isInChannel'], value: true });
  await expect(card).not.toContainText('Not asked yet');
  await expect(card.getByRole('button', { name: 'Approve' })).toBeVisible();
});

test('Reject sends the reason only while its field is open', async ({ page, open }) => {
  const { host } = await open(world, '#/inbox');
  const card = page.getByRole('article');
  const reject = card.getByRole('button', { name: 'Reject', exact: true });
  const more = card.getByRole('button', { name: 'Reject with a reason…' });
  const answer = (): unknown =>
    host.calls.flatMap(({ method, input }) =>
      method === 'approvals.decide' ? [(input as { answer: unknown }).answer] : [],
    );
  await expect(reject).toBeFocused();
  await settle(page);
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

test('An input gate builds its form from the schema; a gate after a crash offers three answers', async ({
  page,
  open,
}) => {
  const { host } = await open(
    { fill: (all) => all.runs.ask(gateQuestion(inputGate())) },
    '#/approval/gate_input',
  );
  const send = page.getByRole('button', { name: 'Send this answer' });
  await send.waitFor();
  await settle(page);
  await send.click();
  await expect(page.getByText('Required.')).toBeVisible();
  await page.getByLabel('What now').selectOption('redraft');
  await page.getByLabel('labels (optional)').fill('team\nlong');
  await page.getByLabel('urgent (optional)').selectOption('Yes');
  await expectAccessible(page);
  await send.click();
  await expect
    .poll(() => decided(host))
    .toMatchObject({
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
  await expect(page.getByText('The run continues after this step.')).toBeVisible();
  await expectAccessible(page);
  await settle(page);
  await page.getByRole('button', { name: 'It was done' }).click();
  await expect
    .poll(() => decided(host))
    .toMatchObject({
      answer: { type: 'settle', how: 'done' },
    });
});
