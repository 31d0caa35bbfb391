/**
 * The log viewer under 10,000 lines per second: the built page in Chromium, fed by a loopback server with the
 * host's protocol. The ratio is the 99th percentile of the frame interval in ms, divided by the goal of 17
 * ms, over ten seconds; the same page with an empty log shows the baseline of this machine.
 */
import { chromium, type Page } from '@playwright/test';
import { FakeHost, fakeSession } from '../../test/renderer/fake-host.ts';
import { logLine } from '../../test/renderer/turn-data.ts';
import { pause, quantile, report } from '../lib/measure.ts';

const linesPerSecond = 10_000;
/** Batch interval of the host, in ms. */
const everyMs = 50;
const seconds = 10;
const goalMs = 17;

const host = new FakeHost({});
const url = await host.listen();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.addInitScript((secret) => localStorage.setItem('kennel.session', secret), fakeSession);
await page.goto(`${url}#/work/log`);
await page.getByRole('search').waitFor();

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

/** Frame intervals while `work` runs. */
async function frames(on: Page, work: () => Promise<void>): Promise<number[]> {
  await on.evaluate(beginLooking);
  await work();
  const times = await on.evaluate<number[]>(endLooking);
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}

let written = 0;
/** Keeps the average rate, even after a pause. */
async function flood(ms: number): Promise<void> {
  const from = performance.now();
  const before = written;
  for (let now = from; now - from < ms; now = performance.now()) {
    const due = before + Math.floor(((now - from) / 1000) * linesPerSecond) - written;
    if (due > 0) {
      const lines = Array.from({ length: due }, (_, n) =>
        logLine(written + n, { rest: `"number":${written + n},"path":"notes/day-${n}.md"` }),
      );
      host.turns.write(due, lines);
      written += due;
    }
    await pause(everyMs);
  }
}

const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
/** Busy time of the page's main thread, in seconds. */
async function busySeconds(): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

const idle = await frames(page, () => pause(3_000));
await flood(2_000);
const busyBefore = await busySeconds();
const busy = await frames(page, () => flood(seconds * 1000));
const taskMs = (1000 * ((await busySeconds()) - busyBefore)) / busy.length;
await pause(300);
const shown = await page.getByRole('option').last().innerText();
await browser.close();
await host.stop();

const p99 = quantile(busy, 0.99);
report([
  {
    name: 'log view at 10,000 lines a second: time between frames, p99 / 17 ms',
    ratio: p99 / goalMs,
    goal: 1,
    better: 'lower',
    figures: {
      p99,
      p999: quantile(busy, 0.999),
      median: quantile(busy, 0.5),
      frames: busy.length,
      taskMsPerFrame: taskMs,
      idleP99: quantile(idle, 0.99),
      lines: written,
      newestShown: Number(/"number":(\d+)/.exec(shown)?.[1] ?? -1),
    },
    note: `${p99.toFixed(1)} ms over ${busy.length} frames, of which ${taskMs.toFixed(1)} ms a frame are the page's own work; a page at rest ${quantile(idle, 0.99).toFixed(1)} ms`,
  },
]);
