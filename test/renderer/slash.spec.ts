/** Commands for agents in the composer: the list that `/` opens, and the check before sending. */
import { demoRooms, member, room } from './fake-data.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

const withDm = () => {
  const rooms = demoRooms();
  const members = [member('you-3f9a', 'You', false), member('guide-1c2d', 'Guide', true)];
  const direct = room('dm:guide-1c2d', { kind: 'dm', name: 'Guide', spaceId: null, members });
  return { ...rooms, rooms: { ...rooms.rooms, [direct.id]: direct } };
};
const direct = `#/chat/${encodeURIComponent('dm:guide-1c2d')}`;
const sentTexts = (calls: readonly { method: string; input: unknown }[]): unknown[] =>
  calls.flatMap(({ method, input }) =>
    method === 'chat.send' ? [(input as { readonly text: string }).text] : [],
  );
const composer = (page: Page) => page.locator('.composer textarea');

test('/ lists the commands; the keyboard chooses one, and Enter sends it', async ({ page, open }) => {
  const { host } = await open({ rooms: withDm() }, direct);
  await composer(page).pressSequentially('/');
  const list = page.getByRole('listbox', { name: 'Commands' });
  await expect(list.getByRole('option')).toHaveText([
    /^\/task goal/,
    /^\/tasks/,
    /^\/stop/,
    /^\/continue/,
    /^\/undo/,
    /^\/new/,
  ]);
  await expect(composer(page)).toHaveAttribute('aria-controls', (await list.getAttribute('id')) ?? 'none');
  await takePicture(page, 'slash-list');
  await composer(page).press('ArrowDown');
  await expect(page.getByRole('option', { selected: true })).toContainText('/tasks');
  await composer(page).press('ArrowUp');
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('/task ');
  await expect(list).toHaveCount(0);
  await composer(page).pressSequentially('sum up the notes');
  await composer(page).press('Enter');
  await expect.poll(() => sentTexts(host.calls)).toEqual(['/task sum up the notes']);
  await expect(composer(page)).toHaveValue('');
  // A command that is written in full is sent although the list is open.
  await composer(page).pressSequentially('/stop');
  await expect(list).toBeVisible();
  await composer(page).press('Enter');
  await expect.poll(() => sentTexts(host.calls)).toEqual(['/task sum up the notes', '/stop']);
});

test('An unknown command is reported before it is sent, with the one that was meant', async ({
  page,
  open,
}) => {
  const { host } = await open({ rooms: withDm() }, direct);
  await composer(page).fill('/taks sweep');
  await composer(page).press('Enter');
  const note = page.getByRole('alert').filter({ hasText: '/taks is not a command.' });
  await expect(note).toBeVisible();
  await takePicture(page, 'slash-unknown');
  expect(sentTexts(host.calls)).toEqual([]);
  await note.getByRole('button', { name: 'Use /task' }).click();
  await expect(composer(page)).toHaveValue('/task sweep');
  await expect(note).toHaveCount(0);
  await composer(page).fill('/weather is nice');
  await composer(page).press('Enter');
  await page.getByRole('button', { name: 'Send as text' }).click();
  await expect.poll(() => sentTexts(host.calls)).toEqual(['/weather is nice']);
  await composer(page).fill('/etc/hosts is gone');
  await composer(page).press('Enter');
  await expect.poll(() => sentTexts(host.calls)).toEqual(['/weather is nice', '/etc/hosts is gone']);
});

test('In a channel, a command asks for the agent that it is for', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await composer(page).pressSequentially('/ta');
  await expect(page.getByRole('option')).toHaveText([/^\/task goal/, /^\/tasks/]);
  await composer(page).press('Enter');
  // Two own agents: one has to be chosen.
  await page.getByRole('option', { name: /Checker/ }).click();
  await expect(composer(page)).toHaveValue(/^@Checker\s+\/task /);
  await composer(page).fill('/task sweep');
  await composer(page).press('Enter');
  await expect(page.getByText('In a channel, mention the agent before /task.')).toBeVisible();
  expect(sentTexts(host.calls)).toEqual([]);
});

test('Rooms without an own agent have no commands', async ({ page, open }) => {
  const { host } = await open({ agents: {} }, '#/chat/ch_general');
  await composer(page).pressSequentially('/taks');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await composer(page).press('Enter');
  await expect.poll(() => sentTexts(host.calls)).toEqual(['/taks']);
});
