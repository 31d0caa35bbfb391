/** Runs axe on the current page. */
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

interface AxeOptions {
  /** Runs only these rules. */
  readonly rules?: readonly string[];
  /** Runs only rules with one of these tags. */
  readonly tags?: readonly string[];
  readonly without?: readonly string[];
}

/** Rules whose result depends on the theme. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

const runOnly = ({ rules, tags }: AxeOptions): axe.RunOptions => {
  if (rules) return { runOnly: { type: 'rule', values: [...rules] } };
  return tags ? { runOnly: { type: 'tag', values: [...tags] } } : {};
};

/**
 * One line per violation. Injects the script once per page load, and computes selectors only for violations,
 * because those of passing elements take ten times as long as the rules.
 */
export async function findViolations(page: Page, options: AxeOptions = {}): Promise<string[]> {
  // The frame is there before the page in it, which loads by itself and brings the heading.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const off = Object.fromEntries((options.without ?? []).map((rule) => [rule, { enabled: false }]));
  return page.evaluate(
    async (run) => {
      // Waits until colour transitions have ended, because their intermediate colours do not count. Does not
      // wait for endless animations.
      const ending = document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ending.map(({ finished }) => finished));
      const here = Reflect.get(window, 'axe') as typeof axe;
      const { violations } = await here.run(document, run);
      return violations.map(({ id, nodes }) => {
        const found = nodes.map(
          ({ target, html, any }) => `${target.join(' ')} ${any.map((one) => one.message).join(' ')} ${html}`,
        );
        return `${id}: ${found.join(' | ')}`;
      });
    },
    { ...runOnly(options), rules: off, resultTypes: ['violations'] } satisfies axe.RunOptions,
  );
}

export async function expectAccessible(page: Page, options: AxeOptions = {}): Promise<void> {
  expect(await findViolations(page, options)).toEqual([]);
}
