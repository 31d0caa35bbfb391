/** The page in German, whose texts are longer: nothing overflows, and no English text is left. */
import { fail } from '../../src/contract/fail.ts';
import { stepTitle } from '../../src/core/agents/tool-step-titles.ts';
import { hostEnglish } from '../../src/language/english/host.ts';
import { english } from '../../src/language/english.ts';
import { laterEnglish } from '../../src/language/english-later.ts';
import { german } from '../../src/language/german.ts';
import { say } from '../../src/language/say.ts';
import { approval } from './ask-data.ts';
import { asking } from './asking-world.ts';
import { findViolations } from './axe.ts';
import { busyAgents, conversation, demoRooms } from './fake-data.ts';
import type { World } from './fake-host.ts';
import { expect, type Page, settle, takePicture, test } from './open-page.ts';
import {
  gate,
  gateQuestion,
  inputGate,
  releaseText,
  run,
  runId,
  runsFolder,
  waitingSteps,
} from './run-data.ts';

const busy: World = { agents: busyAgents(), messages: conversation(), rooms: demoRooms() };

import { settingsParts } from '../../src/renderer/settings/settings-parts.ts';

const release = `${runsFolder}/release.puppy`;
const running: World = {
  fill: ({ runs }) => {
    runs.files[release] = releaseText;
    runs.show(run(runId, { status: 'waiting', endedAt: null, gates: ['gate_input'] }), waitingSteps(), [
      gate('gate_1', { decision: 'approve', decidedBy: 'kit', decidedAt: Date.now() }),
      inputGate(),
    ]);
    runs.ask(gateQuestion(inputGate()));
  },
};

interface Place {
  readonly name: string;
  readonly world: World;
  readonly hash: string;
  /** The page has tabs whose content loads a moment later. */
  readonly tabs?: true;
}

const places: readonly Place[] = [
  { name: 'first run', world: { host: { firstRun: true } }, hash: '' },
  {
    name: 'locked',
    world: { host: { state: 'locked', vault: { kind: 'passphrase', backend: '', note: '' } } },
    hash: '',
  },
  { name: 'home', world: asking, hash: '#/home' },
  { name: 'no room', world: busy, hash: '#/chat' },
  { name: 'chat', world: asking, hash: '#/chat/ch_general' },
  { name: 'agents', world: busy, hash: '#/agents' },
  { name: 'agent', world: asking, hash: '#/agents/guide', tabs: true },
  { name: 'inbox', world: asking, hash: '#/inbox', tabs: true },
  { name: 'work', world: asking, hash: '#/work', tabs: true },
  { name: 'workflow file', world: running, hash: `#/work/${encodeURIComponent(`workflow:${release}`)}` },
  { name: 'workflow run', world: running, hash: `#/work/run%3A${runId}`, tabs: true },
  { name: 'workflow question', world: running, hash: '#/approval/gate_input' },
  ...settingsParts.map((part) => ({ name: `settings ${part}`, world: asking, hash: `#/settings/${part}` })),
];

const germanTexts = new Set(Object.values(german).flatMap((part) => Object.values(part)));
/** English sentences without a placeholder, which cannot equal a name or a host text by chance. */
const onlyEnglish = Object.values({ ...english, ...laterEnglish })
  .flatMap((part) => Object.values<string>(part))
  .filter((text) => text.includes(' ') && !/[{<]/.test(text) && !germanTexts.has(text))
  .filter((text) => !/^it |^agents have|^another agent/.test(text))
  // Host texts without a placeholder.
  .concat(
    Object.values(hostEnglish)
      .flatMap((part) => Object.values<string>(part))
      .filter((text) => text.includes(' ') && !text.includes('{')),
  );

/** Regions whose content is wider than they are, except those that scroll by design. */
const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth > window.innerWidth ? ['the page'] : [];
    const regions = document.querySelectorAll<HTMLElement>(
      'main, nav, aside, header, footer, section, form, li, fieldset, button, [role="tablist"], [role="dialog"]',
    );
    const over = [...regions].filter((one) => {
      const { overflowX, textOverflow, display } = getComputedStyle(one);
      const meant = overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis';
      const seen = display !== 'inline' && one.clientWidth > 1 && one.offsetParent !== null;
      return seen && !meant && one.scrollWidth > one.clientWidth + 1;
    });
    return [...wide, ...over.map((one) => `${one.tagName}.${one.className}: ${one.innerText.slice(0, 50)}`)];
  });

const leftOver = async (page: Page): Promise<string[]> => {
  const shown = await page.evaluate(() => [
    document.body.innerText,
    ...[...document.querySelectorAll('[aria-label],[title],[placeholder]')].flatMap((one) =>
      ['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? ''),
    ),
  ]);
  return onlyEnglish.filter((text) => shown.some((one) => one === text || one.split('\n').includes(text)));
};

const sizes = [
  { width: 720, height: 520 },
  { width: 1280, height: 800 },
];

const inGerman = (page: Page): Promise<unknown> =>
  page.addInitScript(() => localStorage.setItem('kennel.look', '{"language":"de"}'));

/** Layout and language faults of the current page at each size. */
async function findFaults(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    await takePicture(page, `de-${name.replaceAll(' ', '-')}-${size.width}`);
    found.push(...(await overflowing(page)).map((one) => `${name} at ${size.width} overflows: ${one}`));
  }
  found.push(...(await findViolations(page)).map((one) => `${name}: ${one}`));
  found.push(...(await leftOver(page)).map((one) => `${name} says in English: ${one}`));
  return found;
}

for (const { name, world, hash, tabs: inParts } of places)
  test(`${name} in German fits from 720x520 on, has no English left, and passes axe`, async ({
    page,
    open,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await inGerman(page);
    await open(world, hash);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.locator('h1, h2').first()).toBeVisible();
    const tabs = page.getByRole('tab');
    if (inParts) await expect(tabs.first()).toBeVisible();
    const count = await tabs.count();
    const found = count === 0 ? await findFaults(page, name) : [];
    for (let at = 0; at < count; at += 1) {
      await tabs.nth(at).click();
      await expect(page.locator('.skeleton')).toHaveCount(0);
      found.push(...(await findFaults(page, `${name} ${await tabs.nth(at).innerText()}`)));
    }
    expect(found).toEqual([]);
  });

test('Host texts are German: questions, activity, problems and errors', async ({ page, open }) => {
  await inGerman(page);
  const guide = asking.agents!.guide!;
  const action = stepTitle(say('actions.writeFile', { path: 'hello.md' }), 'running');
  const why = say('approvals.asksBecause', { why: say('approvals.changesSomething') });
  const figures = say('usage.tokens', { used: 12_345, max: 12_000, span: say('usage.today') });
  const used = say('usage.budgetUsedUp', { whose: say('usage.allAgents'), figures });
  const problems = [
    {
      ...({
        id: 'budget',
        severity: 'error',
        at: 1,
        hint: 'Nothing to do: it continues automatically.',
      } as const),
      ...({ message: used.text, said: used } as const),
    },
  ];
  const { host } = await open(
    {
      ...asking,
      agents: {
        ...asking.agents,
        guide: { ...guide, dot: 'working', activity: say('steps.forPlace', { action, place: '#general' }) },
      },
      approvals: [
        approval('ap1', {
          title: say('approvals.wantsTo', { action: say('actions.writeFile', { path: 'hello.md' }) }),
          why: say('approvals.whyWithReason', { why, words: 'Low risk.' }),
        }),
      ],
      host: { problems },
    },
    '#/home',
  );
  const main = page.getByRole('main');
  await expect(main).toContainText('möchte hello.md schreiben');
  await expect(main).toContainText(
    'Das Budget von allen Agenten ist aufgebraucht: 12.345 von 12.000 Token heute.',
  );
  await expect(main).toContainText('schreibt hello.md, für #general');
  // Text of the agent itself is not translated.
  await page.goto(`${page.url().split('#')[0]}#/inbox`);
  await expect(page.locator('[data-ask]')).toContainText(
    'Gefragt wird, weil es etwas ändert. Der Agent sagt: „Low risk.“',
  );
  host.failing.set(
    'approvals.decide',
    fail('conflict', 'approvals.questionChanged', {}, { help: 'approvals.lookAgain' }),
  );
  await settle(page);
  await page.getByRole('button', { name: 'Ablehnen', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Nichts wurde entschieden.');
});
