/** Agent programs in the window: what runs an agent, its test, its processes and its session. */
import type { HarnessId } from '../../src/contract/harnesses.ts';
import { say } from '../../src/language/say.ts';
import { approval } from './ask-data.ts';
import { findViolations } from './axe.ts';
import { agent, demoAgents } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { imageJob } from './fake-programs.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';
import { claude, programs } from './program-data.ts';

const sent = (host: FakeHost, method: string) =>
  host.calls.filter((call) => call.method === method).map((call) => call.input);

const withPrograms = (host: FakeHost): void => {
  host.programs.installed = programs();
};

const option = (page: Page, name: string) => page.getByRole('radio', { name });

/** The screen fits and passes axe in light and dark, wide and narrow. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await findViolations(page), colorScheme).toEqual([]);
    await takePicture(page, `${name}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  for (const [width, height] of [
    [900, 600],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth))
      .toBe(false);
    await takePicture(page, `${name}-${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('The wizard asks what runs the agent and shows what was found on this computer', async ({
  page,
  open,
}) => {
  const { host } = await open({ fill: withPrograms }, '#/agents');
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByLabel('Name').fill('Rita');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('group', { name: 'What runs this agent?' })).toBeVisible();
  await expect(option(page, 'Chat: calls a model directly')).toBeChecked();
  // Programs that are missing are shown with the way to get them; those without an adapter are not.
  await expect(option(page, 'OpenCode')).toHaveCount(0);
  await expect(dialog.getByText('npm install -g opencode-ai')).toBeVisible();
  await expect(dialog.getByText('Hermes')).toHaveCount(0);

  await option(page, 'Claude Code').check();
  await expect(dialog.getByText('Kennel tested that this version asks before it acts.')).toBeVisible();
  await expect(dialog.getByText('The folders of the agent, in a sandbox. The network is open')).toBeVisible();
  await expect(dialog.getByText('Its own login, for example a subscription.')).toBeVisible();
  await expect(dialog.getByText('Claude Code is not part of Kennel.')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Website of Claude Code' })).toHaveAttribute(
    'href',
    'https://github.com/anthropics/claude-code',
  );
  await look(page, 'programs-wizard');
  await page.getByRole('button', { name: 'Next' }).click();
  // Its login needs no provider, and it supports Anthropic only.
  const offered = dialog.getByLabel('Provider').locator('option');
  await expect(offered).toHaveCount(2);
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect
    .poll(() => sent(host, 'agents.create'))
    .toMatchObject([{ id: 'rita', kind: 'cli-local', harness: 'claude-code' }]);
});

test('A program is tested from the wizard; a version that fails is not offered any more', async ({
  page,
  open,
}) => {
  const fill = (host: FakeHost): void => {
    host.programs.installed = [claude({ canary: null })];
    host.programs.passes = ['edit'];
  };
  const { host } = await open({ fill }, '#/agents');
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByLabel('Name').fill('Rita');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await option(page, 'Claude Code').check();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Kennel has not tested this version yet.')).toBeVisible();
  let finish = (): void => undefined;
  host.held.set('harnesses.test', new Promise((resolve) => (finish = resolve)));
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'runs once on a scripted model' })).toBeVisible();
  finish();
  await expect(dialog.getByText('This version acts without asking').first()).toBeVisible();
  await dialog.getByText(/^Test of 2.1.330/).click();
  await expect(dialog.getByText('Asks before it runs a command')).toBeVisible();
  await option(page, 'Chat: calls a model directly').check();
  await expect(option(page, 'Claude Code')).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Test again' })).toBeVisible();
  await look(page, 'programs-failed');
});

test('Without a sandbox the choice says what a program may touch, and offers none that never asks', async ({
  page,
  open,
}) => {
  const fill = (host: FakeHost): void => {
    withPrograms(host);
    host.programs.hasWall = false;
    host.models.keys = { anthropic: 'stored' };
  };
  const { host } = await open({ agents: { ...demoAgents(), ada: agent('ada') }, fill }, '#/agents/ada');
  await page.getByRole('tab', { name: 'Model' }).click();
  const card = page.getByRole('form', { name: 'Model', exact: true });
  await expect(option(page, 'pi')).toHaveCount(0);
  await expect(card.getByText('so it runs only in a sandbox')).toBeVisible();
  await option(page, 'Claude Code').check();
  await expect(card.getByText('It runs with your rights, and asks you once')).toBeVisible();
  await expect(card.getByText('Your Anthropic key in Kennel')).toBeVisible();
  await look(page, 'programs-card');
  await card.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => sent(host, 'agents.setRuntime'))
    .toMatchObject([{ kind: 'cli-local', harness: 'claude-code' }]);
});

test('The Model card sets what a program may do, and the requests of a turn of the SDK', async ({
  page,
  open,
}) => {
  const fill = (host: FakeHost): void => {
    const sdk = { ...claude(), id: 'claude-agent-sdk', title: 'Claude Agent SDK' } as const;
    host.programs.installed = [...programs(), sdk];
  };
  const { host } = await open({ agents: { ...demoAgents(), ada: agent('ada') }, fill }, '#/agents/ada');
  await page.getByRole('tab', { name: 'Model' }).click();
  const card = page.getByRole('form', { name: 'Model', exact: true });
  await expect(card.getByLabel('What it may do')).toHaveCount(0);
  await option(page, 'Claude Code').check();
  await expect(card.getByLabel('Model requests in a turn')).toHaveCount(0);
  await option(page, 'Claude Agent SDK').check();
  await card.getByLabel('What it may do').selectOption({ label: 'Only reads and plans' });
  await card.getByLabel('Model requests in a turn').fill('25');
  await look(page, 'programs-limits');
  await card.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => sent(host, 'agents.setRuntime'))
    .toMatchObject([{ kind: 'sdk-local', permissionMode: 'plan', maxTurns: 25 }]);
});

test('A scripted helper is given a program with its own login', async ({ page, open }) => {
  const { host } = await open({ agents: demoAgents(), fill: withPrograms }, '#/home');
  host.putRoom('guide', []);
  await page.getByRole('button', { name: /Give Guide a real model/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Which model should Guide use?' });
  await dialog.getByRole('radio', { name: 'Claude Code' }).check();
  await look(page, 'programs-real');
  await dialog.locator('form').last().locator('button[type="submit"]').click();
  await expect(dialog).toHaveCount(0);
  expect(sent(host, 'setup.useModel')).toMatchObject([
    { agent: 'guide', kind: 'cli-local', harness: 'claude-code', provider: '' },
  ]);
});

const withContainers = (host: FakeHost): void => {
  withPrograms(host);
  host.programs.hasWall = false;
  const image = (harness: HarnessId, title: string, isThere: boolean) => ({
    harness,
    title,
    image: `localhost/kennel-${harness}:1`,
    isThere,
  });
  host.programs.containers = {
    engines: [
      { name: 'docker', state: 'notRunning', why: 'Cannot connect to the Docker daemon' },
      { name: 'podman', state: 'ready', why: '' },
    ],
    images: [image('pi', 'pi', false), image('claude-code', 'Claude Code', true)],
    job: null,
  };
};

test('A program that never asks runs in a container, whose image is built from the card', async ({
  page,
  open,
}) => {
  const { host } = await open(
    { agents: { ...demoAgents(), ada: agent('ada') }, fill: withContainers },
    '#/agents/ada',
  );
  await page.getByRole('tab', { name: 'Model' }).click();
  const card = page.getByRole('form', { name: 'Model', exact: true });
  await option(page, 'pi').check();
  await expect(card.getByText('Only its container limits what it does.')).toBeVisible();
  await expect(card.getByText('The container is exited.')).toBeVisible();
  await expect(card.getByText('The image with pi has not been built yet.')).toBeVisible();
  const lines = ['STEP 1/3: FROM docker.io/library/node:24-bookworm-slim', 'STEP 2/3: RUN apt-get update'];
  host.programs.jobs = [{ ...imageJob, lines, lineCount: 2 }];
  await card.getByRole('button', { name: 'Build image' }).click();
  await expect(card.getByText('STEP 2/3')).toBeVisible();
  await look(page, 'programs-container');
  await card.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => sent(host, 'agents.setRuntime'))
    .toMatchObject([{ kind: 'cli-docker', harness: 'pi' }]);
});

test('A program of this computer runs in a container if the person chooses so', async ({ page, open }) => {
  await page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de"}'));
  const { host } = await open(
    { agents: { ...demoAgents(), ada: agent('ada') }, fill: withContainers },
    '#/agents/ada',
  );
  await page.getByRole('tab', { name: 'Modell' }).click();
  await option(page, 'Claude Code').check();
  await page.getByLabel('Wie er läuft').selectOption('cli-docker');
  await expect(page.getByText('Das Image localhost/kennel-claude-code:1 ist bereit.')).toBeVisible();
  await page.getByLabel('Image', { exact: true }).fill('localhost/mine:2');
  await look(page, 'programs-container-german');
  await page.getByRole('button', { name: 'Speichern', exact: true }).first().click();
  await expect
    .poll(() => sent(host, 'agents.setRuntime'))
    .toMatchObject([{ kind: 'cli-docker', harness: 'claude-code', dockerImage: 'localhost/mine:2' }]);
});

test('The choice is complete in German', async ({ page, open }) => {
  await page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de"}'));
  await open({ agents: { ...demoAgents(), ada: agent('ada') }, fill: withPrograms }, '#/agents/ada');
  await page.getByRole('tab', { name: 'Modell' }).click();
  await page.getByRole('radio', { name: 'Claude Code' }).check();
  await expect(
    page.getByText('Kennel hat geprüft, dass diese Version vor jeder Aktion fragt.'),
  ).toBeVisible();
  await look(page, 'programs-german');
});

const running = (host: FakeHost): void => {
  const one = (id: string, agentId: string, change = {}) => ({
    id,
    agentId,
    program: 'claude',
    pid: 4711,
    hasWall: true,
    container: null,
    startedAt: Date.now() - 7 * 60_000,
    usage: { processes: 3, cpuMs: 12_400, memoryBytes: 231 * 1024 * 1024, openFiles: 61 },
    ...change,
  });
  host.programs.processes = [
    one('a', 'guide'),
    one('b', 'checker', { pid: 4812, program: 'gemini', hasWall: false, usage: null }),
  ];
  host.programs.log = {
    program: 'claude',
    text: 'Retrying in 2 s\nError: \u001b[31m[redacted]\u001b[0m was refused\n',
    endedAt: null,
  };
};

test('The programs of agents are listed live with what they use, and are stopped and restarted', async ({
  page,
  open,
}) => {
  const { host } = await open({ agents: demoAgents(), fill: running }, '#/work/processes');
  const rows = page.getByRole('list', { name: 'Programs of agents' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('231 MB');
  await expect(rows.first()).toContainText('in a sandbox');
  await expect(rows.last()).toContainText('with your rights');
  await expect(rows.last()).toContainText('this system does not tell');
  await look(page, 'processes');
  // The list is read again by itself.
  host.programs.processes = host.programs.processes.map((one) =>
    one.id === 'a'
      ? { ...one, usage: { ...one.usage!, memoryBytes: 300 * 1024 * 1024, cpuMs: 14_400 } }
      : one,
  );
  await expect(rows.first()).toContainText('300 MB');
  await expect(rows.first()).toContainText(/\d+% \(14 s in all\)/);
  await page.getByRole('button', { name: 'Actions for claude, process 4,711' }).click();
  await page.getByRole('menuitem', { name: 'Show its output…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Output of the program' });
  await expect(dialog.getByText('Retrying in 2 s')).toBeVisible();
  await expect(dialog.getByText('which runs now')).toBeVisible();
  await look(page, 'processes-log');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions for claude, process 4,711' }).click();
  await page.getByRole('menuitem', { name: 'Restart' }).click();
  await expect(page.getByText('An open turn goes on in a new process.')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Actions for gemini, process 4,812' }).click();
  await page.getByRole('menuitem', { name: 'Stop' }).click();
  await expect(page.getByText('No program of an agent runs now.')).toBeVisible();
  expect(sent(host, 'harnesses.restartProcess')).toEqual([{ id: 'a' }]);
  expect(sent(host, 'harnesses.endProcess')).toEqual([{ id: 'b' }]);
});

test('The page of an agent shows its program: test, context, processes, and the way into a terminal', async ({
  page,
  open,
}) => {
  const fill = (host: FakeHost): void => {
    running(host);
    host.programs.installed = programs();
    host.programs.ofAgent = {
      harness: claude(),
      hasWall: true,
      canAttach: true,
      terminalSince: null,
      context: { used: 48_200, size: 200_000, at: Date.now() - 60_000 },
    };
  };
  const { host } = await open({ agents: demoAgents(), fill }, '#/agents/guide');
  await page.getByRole('tab', { name: 'Model' }).click();
  const card = page.getByRole('region', { name: 'Claude Code' });
  await expect(card.getByText('48,200 of 200,000 tokens')).toBeVisible();
  await expect(card.getByText('231 MB')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Test again' })).toBeVisible();
  await card.scrollIntoViewIfNeeded();
  await look(page, 'program-card');
  host.programs.ofAgent = { ...host.programs.ofAgent, terminalSince: Date.now() - 5 * 60_000 };
  await expect(card.getByText('Its session has been open in a terminal for 5 min.')).toBeVisible();
  await card.getByRole('button', { name: 'Attach in a terminal…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Claude Code in your terminal' });
  await expect(dialog.getByText('kennel attach guide')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy the command' })).toBeVisible();
  await look(page, 'program-attach');
});

test('The first start of a program without a sandbox is a question that names its rights', async ({
  page,
  open,
}) => {
  const asks = approval('ap_trust', {
    agentId: 'guide',
    subject: 'start_program',
    title: say('actions.runProgram', { title: 'Claude Code' }),
  });
  await open({ agents: demoAgents(), approvals: [asks] }, '#/agents/guide');
  await expect(page.getByText('run Claude Code with your rights, without a sandbox').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeVisible();
});
