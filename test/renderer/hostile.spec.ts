/** T21: content of strangers or models runs no script and sends no request. */
import { approval, step } from './ask-data.ts';
import { agent, demoRooms, message, room } from './fake-data.ts';
import { expect, settle, test } from './open-page.ts';

const corpus: readonly string[] = [
  '<script>window.pwned=1</script>',
  '<img src=x onerror="window.pwned=1">',
  '<img src="https://evil.invalid/pixel.png">',
  '![pixel](https://evil.invalid/pixel.png)',
  '![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9IndpbmRvdy5wd25lZD0xIi8+)',
  '<svg onload="window.pwned=1"><script>window.pwned=1</script></svg>',
  '<svg><animate onbegin="window.pwned=1" attributeName=x dur=1s></svg>',
  '<iframe src="https://evil.invalid/"></iframe>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<object data="https://evil.invalid/x"></object><embed src="https://evil.invalid/x">',
  '<link rel="stylesheet" href="https://evil.invalid/x.css">',
  '<style>@import url(https://evil.invalid/x.css);</style>',
  '<base href="https://evil.invalid/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.invalid/">',
  '<form action="https://evil.invalid/"><button>go</button></form>',
  '[click](javascript:window.pwned=1)',
  '[click](JaVaScRiPt:window.pwned=1)',
  '[click](java\tscript:window.pwned=1)',
  '[click](&#106;avascript:window.pwned=1)',
  '[click](data:text/html,<script>window.pwned=1</script>)',
  '[click](vbscript:window.pwned=1)',
  '[click](file:///etc/passwd)',
  '[click](http://evil.invalid/)',
  '[click](kennel://app/)',
  '<javascript:window.pwned=1>',
  '<a href="javascript:window.pwned=1">x</a>',
  '[x]: javascript:window.pwned=1\n\n[x]',
  '![x](javascript:window.pwned=1)',
  '<details open ontoggle="window.pwned=1">x</details>',
  '<video><source onerror="window.pwned=1"></video>',
  '<math><mtext><img src=x onerror="window.pwned=1"></mtext></math>',
  '```html\n<script>window.pwned=1</script>\n```',
  '`<img src=x onerror=window.pwned=1>`',
  '| <img src=x onerror=window.pwned=1> | b |\n| - | - |\n| [a](javascript:window.pwned=1) | c |',
  '"><script>window.pwned=1</script>',
  '{{constructor.constructor("window.pwned=1")()}}',
  '[^1]\n\n[^1]: [click](javascript:window.pwned=1)',
  'https://evil.invalid/auto and www.evil.invalid and a@evil.invalid',
];

const spoof = 'Ali‮eciv‬​ce';

test('T21: Hostile text in messages, names, roles and souls runs no script and sends no request', async ({
  page,
  open,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.hostname !== '127.0.0.1' && url.protocol !== 'data:') foreign.push(request.url());
  });
  page.on('dialog', (dialog) => foreign.push(`dialog ${dialog.message()}`));
  const nasty = corpus[1]!;
  const { host } = await open(
    {
      agents: {
        guide: agent('guide', {
          displayName: nasty,
          role: nasty,
          roleShort: corpus[5]!,
          activity: corpus[0]!,
          dot: 'working',
        }),
      },
      rooms: {
        ...demoRooms(),
        spaces: [{ id: 'sp_demo', name: nasty, role: 'owner', archived: false }],
        rooms: {
          ch_general: room('ch_general', { name: nasty, lastText: corpus.join(' '), lastMessageAt: 1 }),
        },
      },
      messages: corpus.map((text, index) =>
        message(`msg_${index}`, { text, senderName: nasty, sentAt: index }),
      ),
    },
    '#/chat/ch_general',
  );
  host.souls.guide = corpus.join('\n\n');
  await expect(page.locator('.message')).toHaveCount(corpus.length);
  for (const link of await page.locator('.message a').all())
    expect(await link.count(), 'no bare anchors in messages').toBe(0);
  const dead = await page.locator('.message .dead-link').all();
  expect(dead.length, 'addresses that lead nowhere').toBeGreaterThan(10);
  for (const link of dead) await link.click();
  for (const title of await page
    .locator('.message button.link')
    .evaluateAll((all) => all.map((one) => one.getAttribute('title'))))
    expect(title).toMatch(/^(https|mailto):/);
  await page.goto(`${page.url().split('#')[0]}#/agents/guide`);
  await page.getByRole('tab', { name: 'Personality' }).click();
  await expect(page.locator('.soul')).toContainText('<script>');
  await page.goto(`${page.url().split('#')[0]}#/home`);
  await expect(page.getByText('Recent messages')).toBeVisible();
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
  expect(foreign).toEqual([]);
  expect(host.requests.filter((path) => !/^\/($|assets\/|index\.html)/.test(path))).toEqual([]);
  expect(
    await page.locator('.message iframe, .message img, .message svg[onload], .message script').count(),
  ).toBe(0);
});

test('T21: Hostile text in a streaming draft runs no script', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await expect(page.getByText('a scripted helper')).toBeVisible();
  host.feed.patch('room:ch_general', {
    op: 'set',
    path: ['drafts', 't1'],
    value: {
      turnId: 't1',
      agentId: 'guide',
      slug: 'guide-1c2d',
      name: 'Guide',
      text: corpus.join('\n\n'),
      threadRootId: null,
      startedAt: 1,
      steps: [],
    },
  });
  await expect(page.locator('.is-draft')).toContainText('window.pwned');
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
});

test('T21: A link shows its true destination and opens only from the confirmation dialog', async ({
  page,
  open,
}) => {
  await open(
    { messages: [message('m', { text: '[https://bank.example](https://evil.invalid/?a=1)' })] },
    '#/chat/ch_general',
  );
  await page.getByRole('button', { name: 'https://bank.example' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('strong')).toHaveText('evil.invalid');
  await expect(dialog).toContainText('https://evil.invalid/?a=1');
  const link = dialog.getByRole('link', { name: 'Open it' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(page.context().pages()).toHaveLength(1);
});

test('T21: Hidden and reordering characters in names are shown as codes and isolated from other text', async ({
  page,
  open,
}) => {
  await open({ messages: [message('m', { senderName: spoof, text: 'pay ‮001‬ now' })] }, '#/chat/ch_general');
  const name = page.locator('.message .name').first();
  await expect(name).toHaveText('Ali[U+202E]eciv[U+202C][U+200B]ce');
  expect(await name.evaluate((node) => getComputedStyle(node).unicodeBidi)).toBe('isolate');
  await expect(page.locator('.message .md')).toContainText('pay [U+202E]001[U+202C] now');
});

test('T21: Hostile text in questions, steps, notes, rules and log lines runs no script and sends no request', async ({
  page,
  open,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') foreign.push(request.url());
  });
  const whole = corpus.join('\n');
  const nasty = corpus[1]!;
  const { host } = await open(
    {
      messages: [
        message('m1', {
          text: 'done',
          steps: corpus.map((text, index) => step(`c${index}`, { title: text, detail: whole, tool: nasty })),
        }),
      ],
      // The two equal commands are grouped as a card and a line; the others are separate cards.
      approvals: (['command', 'command', 'diff', 'text'] as const).map((kind, index) =>
        approval(`ap_${index}`, {
          agentName: nasty,
          title: corpus[0]!,
          why: nasty,
          where: nasty,
          preview: { kind, body: `${whole}\n+${nasty}` },
          argsJson: JSON.stringify({ nasty }),
          offers: [
            { scope: 'once', rule: nasty },
            { scope: 'pattern', rule: `${kind} ${whole}` },
          ],
        }),
      ),
    },
    '#/chat/ch_general',
  );
  host.work.write('evil', whole, 'agent');
  host.work.tools.available = [{ name: nasty, group: nasty, description: nasty, offered: false, why: nasty }];
  await page.getByRole('button', { name: /earlier steps$/ }).click();
  await expect(page.locator('.step-button')).toHaveCount(corpus.length);
  for (const line of await page.locator('.step-button').all()) await line.click();
  await expect(page.locator('.step-details').first()).toContainText('window.pwned');
  await page.goto(`${page.url().split('#')[0]}#/inbox`);
  await settle(page);
  await expect(page.locator('.ask')).toHaveCount(3);
  for (const more of await page.getByRole('button', { name: 'Allow more…' }).all()) await more.click();
  for (const all of await page.getByText('All arguments').all()) await all.click();
  await expect(page.locator('.ask-offers').first()).toContainText('<script>');
  await page.goto(`${page.url().split('#')[0]}#/agents/guide`);
  await page.getByRole('tab', { name: 'Permissions' }).click();
  await expect(page.locator('.tool-group')).toContainText('onerror');
  await page.getByRole('tab', { name: 'Memory and files' }).click();
  await page.getByRole('button', { name: /evil/ }).click();
  await expect(page.locator('.note-pane')).toContainText('<script>');
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
  expect(foreign).toEqual([]);
  expect(await page.locator('.ask img, .ask script, .step img, .note-pane img, .ask a').count()).toBe(0);
});
