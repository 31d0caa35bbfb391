/** While a place is read its room is kept: what stands around it does not move when it comes. */
import AxeBuilder from '@axe-core/playwright';
import type { MethodName } from '../../src/contract/methods.ts';
import { asking } from './asking-world.ts';
import { expect, test } from './open-page.ts';

const places: readonly (readonly [hash: string, tab: string | null, held: MethodName])[] = [
  ['#/agents/guide', 'Identity', 'agents.get'],
  ['#/agents/guide', 'Runtime', 'agents.get'],
  ['#/agents/guide', 'Tools', 'agents.tools'],
  ['#/agents/guide', 'Memory', 'memory.list'],
  ['#/agents/guide', 'Usage', 'usage.get'],
  ['#/settings/rules', null, 'policy.get'],
  ['#/settings/backup', null, 'desktop.view'],
  ['#/inbox', 'Standing permissions', 'grants.list'],
];

/** What moved without anybody's doing, as the browser counts it. */
const shifts = () => Reflect.get(globalThis, 'shifted') as number;

test('nothing moves when what was read arrives, and a screen reader hears that it is being read', async ({
  page,
  open,
}) => {
  await page.addInitScript(() => {
    Reflect.set(globalThis, 'shifted', 0);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Reflect.get(entry, 'hadRecentInput')) continue;
        Reflect.set(globalThis, 'shifted', Reflect.get(globalThis, 'shifted') + Reflect.get(entry, 'value'));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const [hash, tab, method] of places) {
    let arrive: () => void = () => undefined;
    const held = new Promise<void>((done) => {
      arrive = done;
    });
    await open({ ...asking, fill: (host) => host.held.set(method, held) }, hash);
    if (tab !== null) await page.getByRole('tab', { name: tab }).click();
    const skeleton = page.locator('.skeleton').first();
    await expect(skeleton, `${hash} ${tab}`).toBeVisible();
    await expect(skeleton.locator('.visually-hidden')).not.toBeEmpty();
    const heading = page.getByRole('heading', { level: 1 });
    const before = await heading.boundingBox();
    if (tab === 'Tools') {
      // It fades in.
      await page.waitForTimeout(400);
      await page.screenshot({ path: 'test-results/looks/skeleton.png' });
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    }
    await page.evaluate(() => Reflect.set(globalThis, 'shifted', 0));
    arrive();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    await page.waitForTimeout(100);
    expect(await heading.boundingBox(), `${hash} ${tab}`).toEqual(before);
    expect(await page.evaluate(shifts), `${hash} ${tab}`).toBeLessThan(0.05);
  }
});

test('a turn that is being read keeps its room', async ({ page, open }) => {
  const held = new Promise<void>(() => undefined);
  await open({ ...asking, fill: (host) => host.held.set('work.turn', held) }, '#/work/turn_done');
  const skeleton = page.locator('.turn .skeleton');
  await expect(skeleton).toBeVisible();
  await expect(skeleton.locator('.visually-hidden')).not.toBeEmpty();
  // It fades in.
  await page.waitForTimeout(400);
  for (const [width, height] of [
    [1280, 800],
    [900, 600],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `test-results/looks/skeleton-turn-${width}-${colorScheme}.png` });
    }
});
