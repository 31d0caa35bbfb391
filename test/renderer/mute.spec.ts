/** Muted rooms and threads, quiet hours and sounds. */
import { demoRooms, message, room } from './fake-data.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

const withRandom = (unread = 0) => {
  const rooms = demoRooms();
  return { ...rooms, rooms: { ...rooms.rooms, ch_random: room('ch_random', { name: 'random', unread }) } };
};

/** Counts oscillators instead of sounding them. */
const listen = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const counter = window as unknown as { tones: number };
    counter.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (this: OscillatorNode, ...args) {
      counter.tones += 1;
      start.apply(this, args);
    };
  });
const tones = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { tones: number }).tones);

test('A muted room shows no unread count, only its mentions, until it is unmuted', async ({ page, open }) => {
  const { host } = await open({ rooms: withRandom(3) }, '#/chat/ch_general');
  const row = page.getByRole('button', { name: /random/ });
  await expect(row.locator('.badge')).toHaveText('3 unread');
  await expect(page).toHaveTitle(/3/);
  await page.goto(page.url().replace('ch_general', 'ch_random'));
  await page.getByRole('button', { name: 'Channel #random' }).click();
  await takePicture(page, 'mute-menu');
  await page.getByRole('menuitem', { name: 'For 8 hours' }).click();
  await expect(row.getByText('Muted')).toBeAttached();
  const call = host.calls.find(({ method }) => method === 'chat.mute');
  expect(call?.input).toMatchObject({ room: 'ch_random', minutes: 480 });
  // The host counts what still counts: here one mention of three messages.
  host.feed.patch('rooms', { op: 'set', path: ['rooms', 'ch_random', 'unread'], value: 3 });
  host.feed.patch('rooms', { op: 'set', path: ['counted', 'ch_random'], value: 1 });
  await expect(row.locator('.badge')).toHaveText('1 unread');
  await expect(page).toHaveTitle(/1/);
  await page.getByRole('button', { name: 'Channel #random' }).click();
  await page.getByRole('menuitem', { name: 'Unmute' }).click();
  await expect(row.getByText('Muted')).toHaveCount(0);
});

test('A thread is muted from its own menu', async ({ page, open }) => {
  const { host } = await open({ messages: [message('m1', { text: 'root' })] }, '#/chat/ch_general');
  await page.locator('[data-message="m1"]').hover();
  await page.getByRole('button', { name: 'Reply in a thread' }).click();
  await page.getByRole('button', { name: 'More about this thread' }).click();
  await page.getByRole('menuitem', { name: 'Until I unmute it' }).click();
  await expect.poll(() => host.calls.filter(({ method }) => method === 'chat.mute')).toHaveLength(1);
  expect(host.calls.find(({ method }) => method === 'chat.mute')?.input).toMatchObject({
    room: 'ch_general',
    thread: 'm1',
    minutes: null,
  });
});

test('Quiet hours are set per day, and kept by the host', async ({ page, open }) => {
  const { host } = await open({}, '#/settings/notifications');
  await page.getByRole('switch', { name: 'Monday' }).click();
  await page.getByLabel('Quiet from, Monday').fill('21:30');
  await expect(page.getByLabel('Quiet until, Monday')).toHaveValue('07:00');
  await takePicture(page, 'mute-settings');
  const saved = () => host.feed.read<{ notifications: unknown }>('host').notifications;
  await expect.poll(saved).toMatchObject({ quietHours: { mon: '21:30-07:00' } });
  await page.getByRole('switch', { name: 'Let approvals through' }).click();
  await page.getByRole('switch', { name: 'Monday' }).click();
  await expect.poll(saved).toEqual({ sounds: true, quietHours: {}, quietApprovals: false });
});

test('A new message elsewhere sounds, but not in quiet hours or with sounds off', async ({ page, open }) => {
  await listen(page);
  const { host } = await open({ rooms: withRandom() }, '#/chat/ch_general');
  const arrive = (unread: number): void =>
    host.feed.patch('rooms', { op: 'set', path: ['rooms', 'ch_random', 'unread'], value: unread });
  const badge = page.getByRole('button', { name: /random/ }).locator('.badge');
  await page.locator('.composer textarea').click();
  arrive(1);
  await expect(badge).toHaveText('1 unread');
  await expect.poll(() => tones(page)).toBe(2);
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  const quiet = {
    sounds: true,
    quietApprovals: true,
    quietHours: Object.fromEntries(days.map((day) => [day, '00:00-23:59'])),
  };
  await page.clock.setFixedTime(new Date('2026-11-23T12:00:00'));
  /** Waits until the page has the settings, which arrive on another topic than messages. */
  const set = async (notifications: object, note: string): Promise<void> => {
    host.feed.patch(
      'host',
      { op: 'set', path: ['notifications'], value: notifications },
      { op: 'set', path: ['vault', 'note'], value: note },
    );
    await expect(page.getByText(note)).toBeVisible();
  };
  await set(quiet, 'Quiet now.');
  arrive(2);
  await expect(badge).toHaveText('2 unread');
  await set({ ...quiet, sounds: false, quietHours: {} }, 'Sounds off now.');
  arrive(3);
  await expect(badge).toHaveText('3 unread');
  expect(await tones(page)).toBe(2);
});

test('The end of a mute makes no sound, but the next message does', async ({ page, open }) => {
  await listen(page);
  const rooms = {
    ...withRandom(3),
    mutes: { ch_random: { until: null, mentions: true } },
    counted: { ch_random: 0 },
  };
  const { host } = await open({ rooms }, '#/chat/ch_general');
  const row = page.getByRole('button', { name: /random/ });
  await expect(row.getByText('Muted')).toBeAttached();
  await page.locator('.composer textarea').click();
  host.feed.patch(
    'rooms',
    { op: 'delete', path: ['mutes', 'ch_random'] },
    { op: 'delete', path: ['counted', 'ch_random'] },
  );
  await expect(row.locator('.badge')).toHaveText('3 unread');
  host.feed.patch('rooms', { op: 'set', path: ['rooms', 'ch_random', 'unread'], value: 4 });
  await expect(row.locator('.badge')).toHaveText('4 unread');
  await expect.poll(() => tones(page)).toBe(2);
});
