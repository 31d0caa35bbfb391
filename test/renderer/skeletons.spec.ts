/** Loading states reserve their space: surrounding elements do not move when the content arrives. */
import type { MethodName } from '../../src/contract/methods.ts';
import { asking } from './asking-world.ts';
import { expectAccessible } from './axe.ts';
import { expect, nextPaint, takePicture, test } from './open-page.ts';

const places: readonly (readonly [hash: string, tab: string | null, held: MethodName])[] = [
  ['#/agents/guide', 'Personality', 'agents.get'],
  ['#/agents/guide', 'Model', 'agents.get'],
  ['#/agents/guide', 'Permissions', 'agents.tools'],
  ['#/agents/guide', 'Memory and files', 'memory.list'],
  ['#/settings/rules', null, 'policy.get'],
  ['#/settings/backup', null, 'desktop.view'],
  ['#/inbox', 'Permissions', 'grants.list'],
];

/** Layout shifts as the browser counts them, and those that follow user input at once. */
const shifts = () => Reflect.get(globalThis, 'shifted') as number;

for (const [hash, tab, method] of places)
  test(`${hash} ${tab ?? ''}: loading shifts nothing and has a text for screen readers`, async ({
    page,
    open,
  }) => {
    await page.addInitScript(() => {
      Reflect.set(globalThis, 'shifted', 0);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          Reflect.set(
            globalThis,
            'shifted',
            Reflect.get(globalThis, 'shifted') + Reflect.get(entry, 'value'),
          );
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    let arrive: () => void = () => undefined;
    const held = new Promise<void>((done) => {
      arrive = done;
    });
    await open({ ...asking, fill: (host) => host.held.set(method, held) }, hash);
    if (tab !== null) await page.getByRole('tab', { name: tab }).click();
    const skeleton = page.locator('.skeleton').first();
    await expect(skeleton, `${hash} ${tab}`).toBeVisible();
    await expect(skeleton.locator('.visually-hidden')).not.toBeEmpty();
    // Questions above the content arrive on topics of their own.
    await expect(page.getByRole('button', { name: 'Inbox 4 waiting for you' })).toBeVisible();
    const heading = page.getByRole('heading', { level: 1 });
    const before = await heading.boundingBox();
    if (method === 'agents.tools') {
      await expect(skeleton, 'faded in').toHaveCSS('opacity', '1');
      await takePicture(page, 'skeleton');
      await expectAccessible(page);
    }
    await page.evaluate(() => Reflect.set(globalThis, 'shifted', 0));
    arrive();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    await nextPaint(page);
    expect(await heading.boundingBox(), `${hash} ${tab}`).toEqual(before);
    expect(await page.evaluate(shifts), `${hash} ${tab}`).toBeLessThan(0.05);
  });

test('A loading turn reserves its space', async ({ page, open }) => {
  const held = new Promise<void>(() => undefined);
  await open({ ...asking, fill: (host) => host.held.set('work.turn', held) }, '#/work/turn_done');
  const skeleton = page.locator('.turn .skeleton');
  await expect(skeleton).toBeVisible();
  await expect(skeleton.locator('.visually-hidden')).not.toBeEmpty();
  await expect(skeleton, 'faded in').toHaveCSS('opacity', '1');
  for (const [width, height] of [
    [1280, 800],
    [900, 600],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `skeleton-turn-${width}-${colorScheme}`);
    }
});
