/** Long lists: order, groups, selection of many, actions on all of them, and rows that are rendered only in sight. */
import { textError } from '../../src/contract/errors.ts';
import { expectAccessible } from './axe.ts';
import { agent, demoRooms, member, now, room } from './fake-data.ts';
import type { FakeHost, World } from './fake-host.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';
import { run } from './run-data.ts';
import { task } from './task-data.ts';

const minute = 60_000;
const numbered = (index: number): string => String(index).padStart(4, '0');

const crowd = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const id = `agent-${numbered(index)}`;
      return [id, agent(id, { displayName: `Agent ${index}` })];
    }),
  );

/** Four agents that each order puts into another sequence. */
const four: World = {
  agents: {
    ann: agent('ann', { dot: 'idle', lastEventAt: now - 3 * minute }),
    ben: agent('ben', {
      dot: 'working',
      lastEventAt: now - 9 * minute,
      spentToday: { tokens: 900, usd: 0.1, unpriced: 0, simulated: false },
    }),
    cleo: agent('cleo', { dot: 'offline', life: 'paused', lastEventAt: now - minute }),
    dora: agent('dora', {
      dot: 'error',
      life: 'gave_up',
      lastEventAt: now - 5 * minute,
      spentToday: { tokens: 10, usd: 2, unpriced: 0, simulated: false },
    }),
  },
};

const names = (page: Page): Promise<readonly string[]> =>
  page.locator('.agent-row .row-name').allInnerTexts();

const choose = async (page: Page, part: 'Sort by' | 'Group by', name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Sort and group' }).click();
  await page.getByRole('group', { name: part }).getByRole('menuitemradio', { name, exact: true }).click();
  await page.keyboard.press('Escape');
};

const callsOf = (host: FakeHost, method: string): readonly unknown[] =>
  host.calls.filter((call) => call.method === method).map(({ input }) => input);

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });

test('Agents are sorted by name, state, last activity and spend, and the choice is kept', async ({
  page,
  open,
}) => {
  await open(four, '#/agents');
  await expect.poll(() => names(page)).toEqual(['Ann', 'Ben', 'Cleo', 'Dora']);
  await choose(page, 'Sort by', 'State');
  await expect.poll(() => names(page)).toEqual(['Dora', 'Ben', 'Ann', 'Cleo']);
  await choose(page, 'Sort by', 'Spend');
  await expect.poll(() => names(page)).toEqual(['Dora', 'Ben', 'Ann', 'Cleo']);
  await choose(page, 'Sort by', 'Last activity');
  await expect.poll(() => names(page)).toEqual(['Cleo', 'Ann', 'Dora', 'Ben']);
  await page.reload();
  await expect.poll(() => names(page)).toEqual(['Cleo', 'Ann', 'Dora', 'Ben']);
});

test('Agents are grouped by state and by space, with the number of each group', async ({ page, open }) => {
  const rooms = {
    ...demoRooms(),
    spaces: [
      { id: 'sp_b', name: 'Beta', role: 'owner', archived: false },
      { id: 'sp_a', name: 'Alpha', role: 'owner', archived: false },
    ],
    rooms: {
      ch_a: room('ch_a', { spaceId: 'sp_a', members: [member('ben-1c2d', 'Ben', true)] }),
      ch_b: room('ch_b', {
        spaceId: 'sp_b',
        members: [member('ann-1c2d', 'Ann', true), member('ben-1c2d', 'Ben', true)],
      }),
    },
  };
  await open({ ...four, rooms }, '#/agents');
  const heads = () => page.locator('.group-head').allInnerTexts();
  await choose(page, 'Group by', 'State');
  await expect.poll(heads).toEqual(['Failed 1', 'Working 1', 'Idle 1', 'Paused 1']);
  await choose(page, 'Group by', 'Space');
  await expect.poll(heads).toEqual(['Alpha 1', 'Beta 1', 'No space 2']);
  await expect.poll(() => names(page)).toEqual(['Ben', 'Ann', 'Cleo', 'Dora']);
  await expectAccessible(page);
});

test('Rows are selected by box, Shift, Ctrl and Ctrl+A, and a filter takes hidden rows out', async ({
  page,
  open,
}) => {
  await open({ agents: crowd(20) }, '#/agents');
  const count = page.getByText(/\d+ selected/);
  await box(page, 'Agent 2').check();
  await expect(count).toHaveText('1 selected');
  await box(page, 'Agent 5').click({ modifiers: ['Shift'] });
  await expect(count).toHaveText('4 selected');
  await expect(box(page, 'Agent 5')).toBeChecked();
  await page
    .locator('.agent-row')
    .nth(9)
    .click({ modifiers: ['ControlOrMeta'] });
  await expect(count).toHaveText('5 selected');
  await page
    .locator('.agent-row')
    .nth(12)
    .click({ modifiers: ['Shift'] });
  await expect(count).toHaveText('8 selected');
  await expect(page, 'a selection opens nothing').toHaveURL(/#\/agents$/);
  await page.getByRole('searchbox', { name: 'Search agents' }).fill('Agent 1');
  await expect(count).toHaveText('3 selected');
  await page.getByRole('searchbox', { name: 'Search agents' }).fill('');
  await expect(count).toHaveText('8 selected');
  await page.locator('.agent-row').first().focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(count).toHaveText('20 selected');
  await page.keyboard.press('Escape');
  await expect(count).toHaveCount(0);
});

test('The keyboard selects rows: x, Shift with arrows, and Space on the box', async ({ page, open }) => {
  await open({ agents: crowd(20) }, '#/agents');
  const count = page.getByText(/\d+ selected/);
  await page.locator('.agent-row').first().focus();
  await page.keyboard.press('x');
  await expect(count).toHaveText('1 selected');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(count).toHaveText('3 selected');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(count).toHaveText('2 selected');
  await expect(page.locator('.agent-row').nth(1)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(box(page, 'Agent 1'), 'the box of the row with the focus').toBeFocused();
  await page.keyboard.press('Space');
  await expect(count).toHaveText('1 selected');
  await expectAccessible(page);
});

test('Selected agents are paused and resumed together; only those that fit are asked', async ({
  page,
  open,
}) => {
  const { host } = await open(four, '#/agents');
  await expect(page.locator('.agent-row').first()).toBeVisible();
  await page.locator('.agent-row').first().focus();
  await page.keyboard.press('ControlOrMeta+a');
  await takePicture(page, 'lists-agents-selected');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('3 agents paused.')).toBeVisible();
  expect(callsOf(host, 'agents.pause')).toEqual([{ agent: 'ann' }, { agent: 'ben' }, { agent: 'dora' }]);
  await expect(page.getByText(/selected/)).toHaveCount(0);
  await expect(page.locator('.agent-row').first(), 'the focus stays in the list').toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(page.getByText('4 agents resumed.')).toBeVisible();
});

test('A partial failure names who failed and keeps them selected', async ({ page, open }) => {
  const { host } = await open(four, '#/agents');
  host.refuse('agents.archive', ({ agent: id }: { agent: string }) =>
    id === 'ben' ? textError('unavailable', 'The server is not reachable.') : null,
  );
  await expect(page.locator('.agent-row').first()).toBeVisible();
  await box(page, 'Ann').check();
  await box(page, 'Ben').check();
  await box(page, 'Cleo').check();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Archive 3 agents?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Archive' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Archive: 1 of 3 failed and stay selected.');
  await expect(alert).toContainText('Ben: The server is not reachable.');
  await expect(page.getByText('2 agents archived.')).toBeVisible();
  await expect(page.getByText('1 selected')).toBeVisible();
  await expect(box(page, 'Ben')).toBeChecked();
  await expect.poll(() => names(page)).toEqual(['Ben', 'Dora']);
  await expectAccessible(page);
  await takePicture(page, 'lists-agents-failed');
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(alert).toHaveCount(0);
});

/** Calls of the method wait until the returned function is called. */
function hold(host: FakeHost, method: string): () => void {
  let release = (): void => undefined;
  host.held.set(
    method,
    new Promise((done) => {
      release = done;
    }),
  );
  return () => release();
}

/** Selects and archives these agents; the host answers once the returned function is called. */
async function archive(page: Page, host: FakeHost, chosen: readonly string[]): Promise<() => void> {
  const release = hold(host, 'agents.archive');
  for (const name of chosen) await box(page, name).check();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  return release;
}

const tenNames = Array.from({ length: 10 }, (_, index) => `Agent ${index}`);

test('An action goes on under a search that hides all rows, and Stop leaves the rest selected', async ({
  page,
  open,
}) => {
  const { host } = await open({ agents: crowd(12) }, '#/agents');
  const release = await archive(page, host, tenNames);
  await expect.poll(() => callsOf(host, 'agents.archive').length).toBe(4);
  const search = page.getByRole('searchbox', { name: 'Search agents' });
  await search.fill('nobody');
  await expect(page.locator('.agent-row')).toHaveCount(0);
  await expect(page.getByText('Archive: 0 of 10')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  release();
  await expect(page.getByText('4 agents archived.')).toBeVisible();
  await expect(page.getByText('Archive: 4 of 10')).toHaveCount(0);
  await search.fill('');
  await expect(page.getByText('6 selected')).toBeVisible();
  expect(callsOf(host, 'agents.archive')).toHaveLength(4);
});

test('Who leaves the list during an action finds its progress, its failures and later selected rows', async ({
  page,
  open,
}) => {
  const { host } = await open({ agents: crowd(12) }, '#/agents');
  host.refuse('agents.archive', ({ agent: id }: { agent: string }) =>
    id === 'agent-0001' ? textError('unavailable', 'The server is not reachable.') : null,
  );
  const release = await archive(page, host, tenNames.slice(0, 3));
  await expect(page.getByText('Archive: 0 of 3')).toBeVisible();
  await box(page, 'Agent 11').check();
  const views = page.getByRole('navigation', { name: 'Main' });
  await views.getByRole('button', { name: 'Chat' }).click();
  await expect(page.locator('.agent-row')).toHaveCount(0);
  await views.getByRole('button', { name: 'Agents' }).click();
  await expect(page.getByText('Archive: 0 of 3')).toBeVisible();
  await views.getByRole('button', { name: 'Chat' }).click();
  await expect(page.locator('.agent-row')).toHaveCount(0);
  release();
  await expect(page.getByText('2 agents archived.')).toBeVisible();
  await views.getByRole('button', { name: 'Agents' }).click();
  await expect(page.getByRole('alert')).toContainText('Archive: 1 of 3 failed and stay selected.');
  await expect(page.getByText('2 selected')).toBeVisible();
  await expect(box(page, 'Agent 1')).toBeChecked();
  await expect(box(page, 'Agent 11'), 'selected during the action').toBeChecked();
});

test('Of a thousand agents only rows near the visible ones are rendered, and the keyboard reaches all', async ({
  page,
  open,
}) => {
  await open({ agents: crowd(1000) }, '#/agents');
  const rows = page.locator('.agent-row');
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(100);
  await rows.first().focus();
  await page.keyboard.press('End');
  await expect(page.locator('.agent-row', { hasText: 'Agent 999' })).toBeFocused();
  await expect(page.locator('.agent-row', { hasText: 'Agent 999' })).toBeInViewport();
  expect(await rows.count()).toBeLessThan(100);
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('.agent-row', { hasText: 'Agent 998' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByText('1,000 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  const list = page.getByRole('region', { name: 'Agents' });
  await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }));
  await expect(page.locator('.agent-row', { hasText: 'Agent 500' })).toBeInViewport();
  await expect(page.locator('.agent-row', { hasText: 'Agent 998' }), 'a row in use stays').toBeFocused();
});

const tasks = (host: FakeHost): void =>
  host.tasks.show(
    Array.from({ length: 500 }, (_, index) =>
      task(index + 1, {
        goal: `Goal ${numbered(index + 1)}`,
        status: index % 5 === 0 ? 'running' : 'pending',
        project: index % 2 === 0 ? 'website' : null,
        updatedAt: now - index * minute,
      }),
    ),
  );

test('Five hundred tasks are grouped, selected and cancelled together', async ({ page, open }) => {
  const { host } = await open({ fill: tasks }, '#/work');
  await page.getByRole('radio', { name: 'List' }).click();
  const rows = page.getByRole('list', { name: 'Tasks', exact: true }).locator('.task-row');
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(100);
  await choose(page, 'Group by', 'Project');
  await expect(page.getByRole('heading', { name: 'website 250' })).toBeVisible();
  await page.getByRole('searchbox').fill('Goal 000');
  await expect(rows).toHaveCount(9);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(page.getByText('9 selected')).toBeVisible();
  await expectAccessible(page);
  await takePicture(page, 'lists-tasks-selected');
  await page.getByRole('button', { name: 'Cancel tasks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel 9 tasks?' });
  await expect(dialog.getByRole('button', { name: 'Cancel', exact: true }), 'the safe one').toBeFocused();
  expect(callsOf(host, 'tasks.cancel')).toHaveLength(0);
  await dialog.getByRole('button', { name: 'Cancel tasks' }).click();
  await expect(page.getByText(/^9 tasks cancelled\./)).toBeVisible();
  expect(callsOf(host, 'tasks.cancel')).toHaveLength(9);
});

test('An action on tasks shows its progress and failures on the board and under a filter too', async ({
  page,
  open,
}) => {
  const { host } = await open({ fill: tasks }, '#/work');
  const release = hold(host, 'tasks.pause');
  host.failing.set('tasks.pause', textError('unavailable', 'The server is not reachable.'));
  await page.getByRole('radio', { name: 'List' }).click();
  await page.getByRole('searchbox').fill('Goal 000');
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('searchbox').fill('no task has this');
  await expect(page.locator('.task-row')).toHaveCount(0);
  const progress = page.getByText('Pause: 0 of 9');
  await expect(progress).toBeVisible();
  await page.getByRole('radio', { name: 'Board' }).click();
  await expect(progress).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  release();
  await expect(page.getByRole('alert')).toContainText('Pause: 4 of 4 failed and stay selected.');
  expect(callsOf(host, 'tasks.pause')).toHaveLength(4);
  await expectAccessible(page);
  await takePicture(page, 'lists-tasks-failed-board');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('A task that was opened from the middle of a long list has the focus again', async ({ page, open }) => {
  await open({ fill: tasks }, '#/work');
  await page.getByRole('radio', { name: 'List' }).click();
  const rows = page.getByRole('list', { name: 'Tasks', exact: true }).locator('.task-row');
  await rows.first().focus();
  await page.keyboard.press('End');
  const last = page.locator('.task-row', { hasText: 'Goal 0500' });
  await expect(last).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Goal 0500' })).toBeVisible();
  await page.goBack();
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
});

test('Runs are sorted, selected and cancelled after one question', async ({ page, open }) => {
  const fill = (host: FakeHost): void => {
    for (const [index, status] of (['running', 'failed', 'running', 'ok'] as const).entries())
      host.runs.show(
        run(`run-${index}`, {
          name: `flow-${3 - index}`,
          status,
          createdAt: now - index * minute,
          endedAt: status === 'running' ? null : now,
        }),
      );
  };
  const { host } = await open({ fill }, '#/work/workflows');
  await page.getByRole('radio', { name: 'History' }).click();
  const list = page.getByRole('list', { name: 'Runs', exact: true });
  await expect(list.locator('.run-row strong')).toHaveText(['flow-3', 'flow-2', 'flow-1', 'flow-0']);
  await choose(page, 'Sort by', 'Name');
  await expect(list.locator('.run-row strong')).toHaveText(['flow-0', 'flow-1', 'flow-2', 'flow-3']);
  await list.locator('.run-row').first().focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Cancel runs' }).click();
  await page
    .getByRole('dialog', { name: 'Cancel 2 runs?' })
    .getByRole('button', { name: 'Cancel runs' })
    .click();
  await expect(page.getByText('2 runs cancelled.')).toBeVisible();
  expect(callsOf(host, 'runs.cancel')).toHaveLength(2);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(page.getByText(/runs archived\./)).toBeVisible();
  const archivedRuns = callsOf(host, 'runs.archive').length;
  expect(archivedRuns).toBeGreaterThan(1);
  await page.getByLabel('State', { exact: true }).selectOption('archived');
  const rows = list.getByRole('listitem');
  await expect(rows).toHaveCount(archivedRuns);
  await expect(rows.first()).toContainText(' · archived');
  await takePicture(page, 'archived-runs');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(0);
});

test('Direct messages show people and agents with a conversation; the others are folded', async ({
  page,
  open,
}) => {
  const agents = crowd(188);
  const dms = Object.values(agents).map(({ slug, displayName }) => {
    const id = `dm:${slug}`;
    return [id, room(id, { kind: 'dm', name: displayName, spaceId: null })] as const;
  });
  const talking = room('dm:agent-0007-1c2d', {
    kind: 'dm',
    name: 'Agent 7',
    spaceId: null,
    lastMessageAt: now,
  });
  const rooms = { ...demoRooms() };
  rooms.rooms = { ...rooms.rooms, ...Object.fromEntries(dms), [talking.id]: talking };
  const { host } = await open({ agents, rooms }, '#/chat/ch_general');
  const list = page.getByRole('region', { name: 'Rooms' });
  await expect(list.locator('.room-row .row-name')).toHaveText(['general', 'Agent 7']);
  const others = list.getByRole('button', { name: 'No conversation yet 187' });
  await expect(others).toHaveAttribute('aria-expanded', 'false');
  host.feed.patch('rooms', { op: 'set', path: ['rooms', 'dm:agent-0100-1c2d', 'unread'], value: 2 });
  await expect(list.locator('.room-row .row-name')).toHaveText(['general', 'Agent 7', 'Agent 100']);
  await list.getByRole('button', { name: 'No conversation yet 186' }).click();
  await expect(list.locator('.room-row', { hasText: 'Agent 0' })).toBeVisible();
  expect(await list.locator('.room-row').count()).toBeLessThan(100);
  await expectAccessible(page);
  await page.reload();
  await expect(list.getByRole('button', { name: 'No conversation yet 186' })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
});

for (const width of [1280, 900, 800, 720, 360] as const)
  test(`Selected agents and tasks fit at ${width} px, light, dark and in German`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de","tasks":"list"}'));
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    const { host, url } = await open({ ...four, fill: tasks }, '#/agents');
    host.failing.set('agents.pause', textError('unavailable', 'The server is not reachable.'));
    await page.locator('.agent-row').first().focus();
    await page.keyboard.press('ControlOrMeta+a');
    const count = page.locator('.bulk-bar').getByRole('status');
    await expect(count).toHaveText('4 ausgewählt', { useInnerText: true });
    await expect.poll(fits).toBe(true);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `lists-agents-de-${width}-${colorScheme}`);
    }
    await page.getByRole('button', { name: 'Pausieren' }).click();
    const note = page.getByText('Pausieren: 3 von 3 fehlgeschlagen und noch ausgewählt.');
    await expect(note).toBeInViewport({ ratio: 1 });
    await expect.poll(fits).toBe(true);
    await takePicture(page, `lists-agents-failed-de-${width}`);
    await page.goto(`${url}#/work`);
    await page.locator('.task-row').first().focus();
    await page.keyboard.press('ControlOrMeta+a');
    await expect(page.getByText('500 ausgewählt')).toBeVisible();
    await expect.poll(fits).toBe(true);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `lists-tasks-de-${width}-${colorScheme}`);
    }
  });
