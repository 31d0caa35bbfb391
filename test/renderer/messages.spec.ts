/** Rows of messages: their buttons, their layout, and what happens to them on the page. */

import { textError } from '../../src/contract/errors.ts';
import { agent, demoRooms, message, mine, room } from './fake-data.ts';
import { expect, takePicture, test } from './open-page.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    message(`m${n}`, { text: `Line ${n}`, sentAt: 1_000_000 + n * 400_000 }),
  );

test('A failed answer can be tried again, and a finished one asked for again', async ({ page, open }) => {
  const mark = (state: 'failed' | 'done') => [{ agentId: 'guide', slug: 'guide-1c2d', state, reason: '' }];
  const { host } = await open(
    {
      messages: [
        mine('m1', 'fail', { marks: mark('failed'), sentAt: 1 }),
        mine('m2', 'hello', { marks: mark('done'), sentAt: 2 }),
        message('m3', { text: 'Welcome', threadRootId: 'm2', sentAt: 3 }),
      ],
    },
    '#/chat/ch_general',
  );
  await page.getByRole('button', { name: 'Try again (Guide)' }).click();
  const asked = () =>
    host.calls.filter(({ method }) => method === 'chat.answerAgain').map(({ input }) => input);
  await expect.poll(asked).toEqual([{ agent: 'guide', message: 'm1' }]);
  await page.getByText('Welcome', { exact: true }).hover();
  await page.getByRole('button', { name: 'Answer again' }).click();
  await expect.poll(asked).toHaveLength(2);
  expect(asked()[1]).toEqual({ agent: 'guide', message: 'm2' });
});

test('An answer that failed for a missing model name leads to the model settings', async ({ page, open }) => {
  const error = textError('invalid_input', 'OpenAI-compatible server needs a model name.', {
    where: 'runtime',
  });
  const marks = [{ agentId: 'guide', slug: 'guide-1c2d', state: 'failed' as const, reason: error.message }];
  await open(
    { agents: { guide: agent('guide', { error }) }, messages: [mine('m1', 'hello', { marks })] },
    '#/chat/ch_general',
  );
  await expect(
    page.getByText('Guide could not answer: OpenAI-compatible server needs a model name'),
  ).toBeVisible();
  await takePicture(page, 'message-no-model');
  await page.getByRole('button', { name: 'Choose a model for Guide' }).click();
  await expect(page.getByRole('tab', { name: 'Model' })).toHaveAttribute('aria-selected', 'true');
});

test('A question of an agent cannot be answered again, its other messages can', async ({ page, open }) => {
  await open(
    {
      messages: [
        message('m1', { text: 'Allowed once: write notes.txt', asks: 'ask-1', sentAt: 1 }),
        message('m2', { text: 'Welcome', sentAt: 2 }),
      ],
    },
    '#/chat/ch_general',
  );
  const again = (id: string) =>
    page.locator(`[data-message="${id}"]`).getByRole('button', { name: 'Answer again' });
  await page.locator('[data-message="m2"]').hover();
  await expect(again('m2')).toHaveCount(1);
  await page.locator('[data-message="m1"]').hover();
  await expect(page.locator('[data-message="m1"]').getByRole('button', { name: 'Copy' })).not.toHaveCount(0);
  await expect(again('m1')).toHaveCount(0);
});

test('A row has only its menu until the pointer or the focus reaches it', async ({ page, open }) => {
  await open({ messages: many(3) }, '#/chat/ch_general');
  const buttons = (id: string) => page.locator(`[data-message="${id}"] .row-actions button`);
  await expect(buttons('m0')).toHaveCount(1);
  await page.locator('[data-message="m0"]').hover();
  await expect(buttons('m0')).toHaveCount(5);
  await buttons('m1').focus();
  await expect(buttons('m1')).toHaveCount(5);
  await expect(buttons('m2')).toHaveCount(1);
});

test('The buttons of a row are whole, and only one row shows them', async ({ page, open }) => {
  await open({ messages: many(4) }, '#/chat/ch_general');
  await page.locator('[data-message="m1"]').focus();
  const row = page.locator('[data-message="m2"]');
  await row.hover();
  await takePicture(page, 'message-hover');
  const shown = page.locator('.row-actions');
  const opacities = await shown.evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).opacity));
  expect(opacities.filter((value) => value === '1')).toHaveLength(1);
  const clipped = await row.locator('.row-actions').evaluate((bar) => {
    const block = bar.closest('.thread-block')?.getBoundingClientRect();
    const box = bar.getBoundingClientRect();
    return block === undefined || box.top < block.top || box.right > block.right;
  });
  expect(clipped).toBe(false);
});

test('Chromium scrolls the messages without repainting them', async ({ page, open }) => {
  await open({ messages: many(60) }, '#/chat/ch_general');
  const devtools = await page.context().newCDPSession(page);
  let layers: readonly {
    readonly height: number;
    readonly scrollRects?: readonly { readonly type: string }[];
  }[] = [];
  devtools.on('LayerTree.layerTreeDidChange', (change) => {
    layers = change.layers ?? layers;
  });
  await devtools.send('DOM.enable');
  await devtools.send('LayerTree.enable');
  await page.locator('.timeline').hover();
  await page.mouse.wheel(0, -100);
  // The messages have a layer of their own, which is moved instead of painted again.
  const content = await page.locator('.timeline').evaluate((box) => box.scrollHeight);
  await expect.poll(() => layers.some(({ height }) => height >= Math.min(content, 1_000))).toBe(true);
  const repainted = layers.flatMap(({ scrollRects = [] }) => scrollRects).map(({ type }) => type);
  expect(repainted).not.toContain('RepaintsOnScroll');
});

test('Blocks of Markdown have space between them', async ({ page, open }) => {
  const text = 'Text\n\n- one\n- two\n\n```\ncode\n```\n\n> quote\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd';
  await open({ messages: [message('m1', { text })] }, '#/chat/ch_general');
  const gaps = await page.locator('.md').evaluate((md) => {
    const boxes = [...md.children].map((child) => child.getBoundingClientRect());
    return boxes.slice(1).map((box, n) => box.top - (boxes[n]?.bottom ?? 0));
  });
  expect(gaps).toHaveLength(5);
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(8);
  await takePicture(page, 'message-markdown');
});

test('A message sent while scrolled up is in sight, and the scrollbar moves nothing', async ({
  page,
  open,
}) => {
  await open({ messages: many(60) }, '#/chat/ch_general');
  const list = page.getByRole('region', { name: 'Messages', exact: true });
  await expect(page.getByText('Line 59')).toBeInViewport();
  await list.evaluate((box) => {
    box.scrollTop = 0;
  });
  await expect(page.getByRole('button', { name: 'Latest messages' })).toBeVisible();
  await page.getByLabel('Message #general').fill('here I am');
  await page.keyboard.press('Enter');
  await expect(page.locator('.message').getByText('here I am')).toBeInViewport();
  expect(await list.evaluate((box) => getComputedStyle(box).scrollbarGutter)).toContain('stable');
});

test('A toast covers neither the composer nor Stop', async ({ page, open }) => {
  await open({ wordMs: 400 }, '#/chat/ch_general');
  await page.getByLabel('Message #general').fill('@Guide hello');
  await page.keyboard.press('Enter');
  const stop = page.getByRole('button', { name: 'Stop Guide' });
  await expect(stop).toBeVisible();
  await page.locator('.message').first().hover();
  await page.getByRole('button', { name: 'Copy the text' }).first().click();
  const notice = page.locator('.notice').first();
  await expect(notice).toBeVisible();
  const [toast, button] = [await notice.boundingBox(), await stop.boundingBox()];
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(button?.y ?? 0);
});

test('A narrow list names its rooms and agents', async ({ page, open }) => {
  await page.setViewportSize({ width: 880, height: 700 });
  await open({ rooms: demoRooms() }, '#/chat/ch_general');
  await expect(page.locator('.list .row-name').first()).toBeVisible();
  await takePicture(page, 'message-narrow');
  for (const name of ['general', 'Guide', 'Checker']) {
    const box = await page.locator('.list .row-name').getByText(name, { exact: true }).boundingBox();
    expect(box?.width ?? 0).toBeGreaterThan(20);
  }
});

test('A history of 5,000 messages is read up and down with few rows and no gap', async ({ page, open }) => {
  test.setTimeout(180_000);
  const all = many(5_000);
  const { host } = await open({ messages: all.slice(-50) }, '#/chat/ch_general');
  host.feed.patch('room:ch_general', { op: 'set', path: ['hasMore'], value: true });
  host.history = all;
  const list = page.getByRole('region', { name: 'Messages', exact: true });
  const rows = page.locator('.timeline [data-message]');
  const ids = () =>
    rows.evaluateAll((each) => each.map((one) => Number((one as HTMLElement).dataset.message?.slice(1))));
  const isGapless = (list: readonly number[]) =>
    list.every((id, n) => n === 0 || id === (list[n - 1] ?? 0) + 1);
  await expect(page.getByText('Line 4999')).toBeInViewport();
  for (let read = 0; read < 8; read += 1) {
    const [first = 0] = await ids();
    await list.evaluate((box) => box.scrollTo(0, 0));
    await expect.poll(async () => (await ids())[0]).toBeLessThan(first);
    const shown = await ids();
    expect(shown.length).toBeLessThanOrEqual(350);
    expect(isGapless(shown)).toBe(true);
  }
  await expect(page.getByText('Line 4999')).toHaveCount(0);
  for (let read = 0; read < 40 && (await ids()).at(-1) !== 4_999; read += 1) {
    const last = (await ids()).at(-1) ?? 0;
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expect.poll(async () => (await ids()).at(-1)).toBeGreaterThan(last);
    expect(isGapless(await ids())).toBe(true);
  }
  expect((await ids()).at(-1)).toBe(4_999);
});

test('A button leads to the first unread message, and goes once that was in sight', async ({
  page,
  open,
}) => {
  const rooms = demoRooms();
  await open(
    { rooms: { ...rooms, rooms: { ch_general: room('ch_general', { unread: 30 }) } }, messages: many(60) },
    '#/chat/ch_general',
  );
  await expect(page.getByText('Line 59')).toBeInViewport();
  const jump = page.getByRole('button', { name: 'Jump to new messages' });
  await takePicture(page, 'message-unread');
  await jump.click();
  await expect(page.getByText('Line 30', { exact: true })).toBeInViewport();
  await expect(jump).toHaveCount(0);
});

test('The arrow keys walk from the composer through the messages and back', async ({ page, open }) => {
  await open({ messages: many(4) }, '#/chat/ch_general');
  const box = page.getByLabel('Message #general');
  await expect(page.getByText('Line 3', { exact: true })).toBeVisible();
  await box.focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('[data-message="m3"]')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('[data-message="m2"]')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(
    page.locator('[data-message="m2"]').getByRole('button', { name: 'Add a reaction' }),
  ).toBeFocused();
  await page.locator('[data-message="m2"]').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(box).toBeFocused();
  await box.fill('kept');
  await page.keyboard.press('ArrowUp');
  await expect(box).toBeFocused();
});

test('A block of code can be copied exactly', async ({ page, open }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open({ messages: [message('m1', { text: '```sh\nls -l\n@Guide  x\n```' })] }, '#/chat/ch_general');
  await page.locator('.code-block').hover();
  await page.getByRole('button', { name: 'Copy the code' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('ls -l\n@Guide  x');
});
