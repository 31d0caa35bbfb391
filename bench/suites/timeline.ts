/**
 * The timeline of a room with 5,000 messages, long Markdown and code among them: the built page in Chromium
 * over a loopback server with the host's protocol. Scrolls by wheel from the latest message to the first one,
 * then types into the composer with the most messages loaded. An empty page in the same browser is the
 * baseline: its frames while its own long box scrolls, and its keys in a bare text field.
 */
import { type CDPSession, chromium, type Page } from '@playwright/test';
import type { ChatMessage } from '../../src/contract/model.ts';
import { message } from '../../test/renderer/fake-data.ts';
import { FakeHost, fakeSession } from '../../test/renderer/fake-host.ts';
import { type BenchRow, pause, quantile, report } from '../lib/measure.ts';

const messages = 5_000;
/** px per wheel event: a fast flick. */
const wheelPx = 1_000;
/** Events per second of a wheel. */
const wheelMs = 1_000 / 60;
/** Messages that a host keeps in its feed. */
const feedWindow = 50;
const keys = 200;
const frameMs = 1_000 / 60;

const code = (n: number): string =>
  Array.from(
    { length: 24 },
    (_, line) => `  const value${line} = compute(${n}, ${line}); // step ${line}`,
  ).join('\n');
const table = (n: number): string =>
  Array.from({ length: 8 }, (_, row) => `| row ${row} | ${n * row} | \`cell ${row}\` |`).join('\n');

/** One long answer in five, with headings, lists, a table and code; the others are short. */
function textOf(n: number): string {
  if (n % 5 !== 0) return `Message ${n}: please look at **notes/day-${n % 30}.md** before \`noon\`.`;
  const list = Array.from(
    { length: 9 },
    (_, item) => `${item + 1}. Item ${item} of ${n}, *with* [words](https://example.org/${n})`,
  );
  return `## Report ${n}\n\n${'A paragraph with **bold** words and `code`. '.repeat(8)}\n\n${list.join('\n')}\n\n| Name | Count | Place |\n| --- | --- | --- |\n${table(n)}\n\n\`\`\`ts\n${code(n)}\n\`\`\``;
}

const everything: readonly ChatMessage[] = Array.from({ length: messages }, (_, n) =>
  message(`msg_${n}`, { text: textOf(n), sentAt: Date.UTC(2026, 0, 1) + n * 60_000 }),
);

const host = new FakeHost({ messages: everything.slice(-feedWindow) });
host.history = everything;
host.feed.patch('room:ch_general', { op: 'set', path: ['hasMore'], value: true });
const url = await host.listen();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

/** Runs in the page: records frame times until `looking` is replaced by another list. */
const beginLooking = `(() => {
  const seen = [];
  window.looking = seen;
  const look = (at) => {
    seen.push(at);
    if (window.looking === seen) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;
const endLooking = '(() => { const seen = window.looking; window.looking = null; return seen; })()';

interface Measured {
  /** ms between frames. */
  readonly frames: readonly number[];
  /** ms of the main thread's own work per frame. */
  readonly work: number;
}

async function devtoolsOf(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return devtools;
}

/** Busy time of the page's main thread, in ms. */
async function busyMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

/** Scrolls up by wheel until `isDone`, at the rate of a screen. */
async function scroll(page: Page, devtools: CDPSession, isDone: () => Promise<boolean>): Promise<Measured> {
  await page.mouse.move(640, 400);
  const before = await busyMs(devtools);
  await page.evaluate(beginLooking);
  for (let done = false; !done; done = await isDone())
    for (let step = 0; step < 30; step += 1) {
      const next = performance.now() + wheelMs;
      await page.mouse.wheel(0, -wheelPx);
      await pause(Math.max(0, next - performance.now()));
    }
  const times = await page.evaluate<number[]>(endLooking);
  const frames = times.slice(1).map((at, index) => at - (times[index] ?? at));
  return { frames, work: ((await busyMs(devtools)) - before) / Math.max(1, frames.length) };
}

/** Runs in the page: ms from each key to the frame that shows it. */
const listenToKeys = `(() => {
  window.keyTimes = [];
  window.addEventListener('keydown', (event) => {
    const at = event.timeStamp;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.keyTimes.push(performance.now() - at);
      port2.postMessage(0);
    });
  }, true);
})()`;

/** Fulfilled once this many keys are shown. */
const untilKeys = (count: number): string => `new Promise((done) => {
  const look = () => (window.keyTimes.length < ${count} ? requestAnimationFrame(look) : done());
  look();
})`;

interface Typed {
  readonly latency: readonly number[];
  /** ms of the main thread's own work per key. */
  readonly work: readonly number[];
}

async function type(page: Page, devtools: CDPSession): Promise<Typed> {
  await page.evaluate(listenToKeys);
  const work: number[] = [];
  for (let key = 0; key < keys; key += 1) {
    const before = await busyMs(devtools);
    await page.keyboard.press(key % 8 === 7 ? 'Space' : 'a');
    await page.evaluate(untilKeys(key + 1));
    work.push((await busyMs(devtools)) - before);
  }
  return { latency: await page.evaluate<number[]>('window.keyTimes'), work };
}

/** A box as long as the history's first pages, and a field, without any script. */
async function measureEmpty(): Promise<{ readonly scrolled: Measured; readonly typed: Typed }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent(
    '<div style="height:600px;overflow:auto"><div style="height:120000px"></div></div><textarea></textarea>',
  );
  const devtools = await devtoolsOf(page);
  await page.evaluate("document.querySelector('div').scrollTop = 120000");
  const isDone = (): Promise<boolean> => page.evaluate("document.querySelector('div').scrollTop === 0");
  const scrolled = await scroll(page, devtools, isDone);
  await page.locator('textarea').focus();
  const typed = await type(page, devtools);
  await page.close();
  return { scrolled, typed };
}

async function measureTimeline() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript((secret) => localStorage.setItem('kennel.session', secret), fakeSession);
  await page.goto(`${url}#/chat/ch_general`);
  await page.locator(`[data-message="msg_${messages - 1}"]`).waitFor();
  const devtools = await devtoolsOf(page);
  let most = 0;
  const first = page.locator('[data-message="msg_0"]');
  const scrolled = await scroll(page, devtools, async () => {
    most = Math.max(most, await page.locator('[data-message]').count());
    return (
      (await first.count()) > 0 &&
      (await page.evaluate<boolean>("document.querySelector('.timeline').scrollTop < 1"))
    );
  });
  await page.getByLabel('Message #general').focus();
  const typed = await type(page, devtools);
  await page.close();
  return { scrolled, typed, most };
}

const empty = await measureEmpty();
const timeline = await measureTimeline();
await browser.close();
await host.stop();

const row = (
  name: string,
  ratio: number,
  goal: number,
  figures: BenchRow['figures'],
  note: string,
): BenchRow => ({
  name,
  ratio,
  goal,
  better: 'lower',
  figures,
  note,
});
const ms = (value: number): string => `${value.toFixed(1)} ms`;
const [p50, p99] = [quantile(timeline.scrolled.frames, 0.5), quantile(timeline.scrolled.frames, 0.99)];
const [emptyP50, emptyP99] = [quantile(empty.scrolled.frames, 0.5), quantile(empty.scrolled.frames, 0.99)];
const [keyP50, keyP99] = [quantile(timeline.typed.latency, 0.5), quantile(timeline.typed.latency, 0.99)];
const [emptyKeyP50, emptyKeyP99] = [quantile(empty.typed.latency, 0.5), quantile(empty.typed.latency, 0.99)];
const keyWork = quantile(timeline.typed.work, 0.99);
report([
  row(
    'timeline, wheel over 5,000 messages: time between frames, median / empty page',
    p50 / emptyP50,
    1.05,
    { p50, emptyP50, p99, emptyP99, frames: timeline.scrolled.frames.length, rowsAtMost: timeline.most },
    `${ms(p50)}; empty page ${ms(emptyP50)}`,
  ),
  row(
    'timeline, wheel over 5,000 messages: time between frames, p99 / empty page',
    p99 / emptyP99,
    1.5,
    { p99, emptyP99, workPerFrame: timeline.scrolled.work, emptyWorkPerFrame: empty.scrolled.work },
    `${ms(p99)}; empty page ${ms(emptyP99)}; own work ${ms(timeline.scrolled.work)} a frame`,
  ),
  row(
    'key in the composer, most messages loaded: own work, p99 / 16 ms',
    keyWork / 16,
    1,
    {
      keyWork,
      keyWorkP50: quantile(timeline.typed.work, 0.5),
      emptyKeyWork: quantile(empty.typed.work, 0.99),
      frameMs,
    },
    `${ms(keyWork)}, median ${ms(quantile(timeline.typed.work, 0.5))}`,
  ),
  row(
    'key in the composer, most messages loaded: time to its frame, median / empty page',
    keyP50 / emptyKeyP50,
    1.5,
    { keyP50, keyP99, emptyKeyP50, emptyKeyP99 },
    `${ms(keyP50)} (p99 ${ms(keyP99)}); empty page ${ms(emptyKeyP50)} (p99 ${ms(emptyKeyP99)})`,
  ),
]);
