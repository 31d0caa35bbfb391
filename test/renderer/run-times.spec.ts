/** Timeline of a run: bars of work and wait per step. */
import type { RunStep } from '../../src/contract/workflow-methods.ts';
import { expectAccessible } from './axe.ts';
import { now } from './fake-data.ts';
import { expect, type Page, test } from './open-page.ts';
import { runId, step } from './run-data.ts';
import { at, world } from './run-world.ts';

type Span = RunStep['spans'][number];

const from = now - 5 * 60_000;
const span = (kind: Span['kind'], begin: number, end: number | null): Span => ({
  kind,
  from: from + begin * 1_000,
  to: end === null ? null : from + end * 1_000,
});
const timed = (path: string, spans: Span[], change: Partial<RunStep> = {}): RunStep =>
  step(path, { spans, startedAt: spans[0]?.from ?? from, endedAt: spans.at(-1)?.to ?? null, ...change });

const row = (page: Page, path: string) => page.locator('.run-step').filter({ hasText: path });

/** Left and right edges of a step's bars, in pixels of the window. */
const edges = (page: Page, path: string, kind: string) =>
  row(page, path)
    .locator(`.step-bar-${kind}`)
    .evaluateAll((bars) =>
      bars.map((bar) => {
        const { left, right } = bar.getBoundingClientRect();
        return [Math.round(left), Math.round(right)] as const;
      }),
    );

test('Parallel steps have aligned bars, and waiting looks different from work', async ({ page, open }) => {
  const { host } = await open(world, at(`run:${runId}`));
  host.runs.setStep(runId, timed('checks.test', [span('work', 1, 20)]));
  host.runs.setStep(
    runId,
    timed('checks.audit', [span('work', 1, 10), span('wait', 10, 15), span('work', 15, 20)], {
      waited: 5_000,
    }),
  );
  await expect(row(page, 'checks.audit')).toContainText('waited 5 s');
  const [test] = await edges(page, 'checks.test', 'work');
  const [first, second] = await edges(page, 'checks.audit', 'work');
  const [wait] = await edges(page, 'checks.audit', 'wait');
  expect([first?.[0], second?.[1]]).toEqual(test);
  expect([wait?.[0], wait?.[1]]).toEqual([first?.[1], second?.[0]]);
  await expect(row(page, 'checks.test')).not.toContainText('waited');
  await expectAccessible(page);
});

test('A bar grows while its step works, and long waits are drawn shorter', async ({ page, open }) => {
  const { host } = await open(world, at(`run:${runId}`));
  host.runs.changeRun(runId, { createdAt: Date.now() - 4_000 });
  await expect(page.getByText('drawn shorter')).toHaveCount(0);
  const began = Date.now() - 2_000;
  const works = { kind: 'work', from: began, to: null } as const;
  host.runs.setStep(
    runId,
    step('notes', { startedAt: began, endedAt: null, state: 'running', spans: [works] }),
  );
  const wide = async (): Promise<number> => {
    const [bar] = await edges(page, 'notes', 'work');
    return bar === undefined ? 0 : bar[1] - bar[0];
  };
  // Other minute displays on the page update only every ten seconds.
  const soon = { timeout: 9_000 };
  await expect.poll(wide, soon).toBeGreaterThan(20);
  const before = await wide();
  await expect.poll(wide, soon).toBeGreaterThan(before + 5);
  host.runs.changeRun(runId, { createdAt: Date.now() - 3_600_000 });
  await expect(page.getByText('drawn shorter')).toBeVisible();
  expect(await wide()).toBeGreaterThan(60);
});

test('Reused steps have no bar and are listed in file order', async ({ page, open }) => {
  const { host } = await open(world, at(`run:${runId}`));
  const taken = { taken: true, startedAt: from, endedAt: from } as const;
  for (const path of ['notes', 'checks.audit', 'checks']) host.runs.setStep(runId, step(path, taken));
  await expect(row(page, 'notes')).toContainText('reused');
  await expect(row(page, 'notes').locator('.step-took')).toHaveText('');
  await expect(row(page, 'notes').locator('.step-bar')).toHaveCount(0);
  const order = await page.locator('.run-step code').allTextContents();
  expect(order.slice(0, 3)).toEqual(['checks', 'checks.audit', 'notes']);
});
