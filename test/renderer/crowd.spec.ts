/** Many agents at once: lists stay fast and redraw only changed rows. */
import { agent } from './fake-data.ts';
import { expect, test } from './open-page.ts';

const crowd = Object.fromEntries(
  Array.from({ length: 1000 }, (_, index) => {
    const id = `agent-${String(index).padStart(4, '0')}`;
    return [id, agent(id, { displayName: `Agent ${index}` })];
  }),
);

test('With a thousand agents one change redraws one row', async ({ page, open }) => {
  const { host } = await open({ agents: crowd }, '#/agents');
  await expect(page.locator('.agent-row').nth(7)).toBeVisible();
  await page.evaluate(() => {
    const seen = window as unknown as { rows: Set<Node | null> };
    seen.rows = new Set();
    new MutationObserver((list) => {
      for (const one of list) {
        const from = one.target instanceof Element ? one.target : one.target.parentElement;
        seen.rows.add(from?.closest('li') ?? null);
      }
    }).observe(document.querySelector('.list-rows') as Element, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  for (let step = 0; step < 50; step += 1)
    host.feed.patch('agents', { op: 'set', path: ['agent-0007', 'activity'], value: `step ${step}` });
  await expect(page.locator('.agent-row').nth(7)).toContainText('step 49');
  expect(await page.evaluate(() => (window as unknown as { rows: Set<Node> }).rows.size)).toBe(1);
});

test('The page stays responsive while twenty agents write at once', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await expect(page.getByText('a scripted helper')).toBeVisible();
  const ids = Array.from({ length: 20 }, (_, index) => `t${index}`);
  for (const turnId of ids)
    host.feed.patch('room:ch_general', {
      op: 'set',
      path: ['drafts', turnId],
      value: {
        turnId,
        agentId: turnId,
        slug: turnId,
        name: turnId,
        text: '',
        threadRootId: null,
        startedAt: 1,
        steps: [],
      },
    });
  const typing = page.getByLabel('Message #general').pressSequentially('still quick', { delay: 20 });
  for (let step = 0; step < 60; step += 1) {
    for (const turnId of ids)
      host.feed.patch('room:ch_general', {
        op: 'append',
        path: ['drafts', turnId, 'text'],
        text: `word${step} `,
      });
    await new Promise((done) => setTimeout(done, 16));
  }
  await typing;
  await expect(page.getByLabel('Message #general')).toHaveValue('still quick');
  await expect(page.locator('.is-draft').last()).toContainText('word59');
  const slowest = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        const from = performance.now();
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - from)));
      }),
  );
  expect(slowest, 'ms for two frames once the noise is over').toBeLessThan(500);
});
