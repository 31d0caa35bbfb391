/**
 * The agent loop on a model that answers at once: turns per second, slowdown as the transcript grows, memory
 * per turn, and parsing the arguments of a call while they stream. Peers in the same run: the same streams
 * without a loop, the same JSON parsed at once.
 */
import type { Agent } from '../../src/core/loop/agent.ts';
import { PartialJson } from '../../src/core/models/partial-json.ts';
import { median, report } from '../lib/measure.ts';
import { answer, createNoOpAgent } from '../lib/no-op-model.ts';

const turns = 10_000;
const rounds = 7;
const goalPerSecond = 20_000;
const goalKiB = 0.7;
const goalArgumentsMs = 20;

const collect = (): void => {
  globalThis.gc?.();
  globalThis.gc?.();
};

interface Chain {
  /** Per second of CPU time, so that other load on the machine counts less. */
  readonly perSecond: number;
  readonly lastToFirst: number;
  readonly agent: Agent;
}

async function chain(): Promise<Chain> {
  const agent = createNoOpAgent(turns);
  const tenth = turns / 10;
  const marks = new Float64Array(4);
  let ended = 0;
  agent.subscribe((event) => {
    if (event.type !== 'turn_end') return;
    ended += 1;
    if (ended === tenth) marks[1] = performance.now();
    else if (ended === turns - tenth) marks[2] = performance.now();
    else if (ended === turns) marks[3] = performance.now();
  });
  const cpu = process.cpuUsage();
  marks[0] = performance.now();
  await agent.prompt('go');
  const { user, system } = process.cpuUsage(cpu);
  const [begin = 0, first = 0, from = 0, end = 0] = marks;
  return { perSecond: (turns * 1e6) / (user + system), lastToFirst: (first - begin) / (end - from), agent };
}

/** The same events in a plain loop: turns per second of CPU time. */
async function bare(): Promise<number> {
  const cpu = process.cpuUsage();
  let seen = 0;
  for (let n = 1; n <= turns; n += 1) for await (const event of answer(n, turns)) seen += event.type.length;
  if (seen === 0) throw new Error('nothing was read');
  const { user, system } = process.cpuUsage(cpu);
  return (turns * 1e6) / (user + system);
}

async function keptKiB(): Promise<number> {
  collect();
  const before = process.memoryUsage().heapUsed;
  const { agent } = await chain();
  collect();
  const after = process.memoryUsage().heapUsed;
  if (agent.state.messages.length < turns) throw new Error('the transcript is gone');
  return (after - before) / turns / 1_024;
}

const text = JSON.stringify({
  path: 'notes.md',
  text: 'A line of "text" with\nbreaks and ünïcode. '.repeat(1_150),
});

function streamedMs(): number {
  const started = performance.now();
  const parser = new PartialJson();
  for (let at = 0; at < text.length; at += 16) {
    parser.push(text.slice(at, at + 16));
    parser.value();
  }
  if (!parser.finish().ok) throw new Error('the arguments were not read');
  return performance.now() - started;
}

function parsedMs(): number {
  const started = performance.now();
  JSON.parse(text);
  return performance.now() - started;
}

await chain();
const chains: { perSecond: number; lastToFirst: number; bare: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const { perSecond, lastToFirst } = await chain();
  chains.push({ perSecond, lastToFirst, bare: await bare() });
}
const kept = [await keptKiB(), await keptKiB(), await keptKiB()];
const streamed = Array.from({ length: 40 }, streamedMs);
const parsed = Array.from({ length: 40 }, parsedMs);

const perSecond = median(chains.map((one) => one.perSecond));
const figures = {
  turnsPerSecond: Math.round(perSecond),
  bareStreamsPerSecond: Math.round(median(chains.map((one) => one.bare))),
  eventsPerTurn: 18,
};
report([
  {
    name: 'turns per second of CPU on a no-op model / 20,000',
    ratio: perSecond / goalPerSecond,
    goal: 1,
    better: 'higher',
    figures,
    note: `${figures.turnsPerSecond} turns/s`,
  },
  {
    name: 'last tenth of 10,000 turns / first tenth',
    ratio: median(chains.map((one) => one.lastToFirst)),
    goal: 0.8,
    better: 'higher',
    figures,
  },
  {
    name: 'heap kept per turn / 0.7 KiB',
    ratio: median(kept) / goalKiB,
    goal: 1,
    better: 'lower',
    figures: { keptKiB: Number(median(kept).toFixed(3)) },
    note: `${median(kept).toFixed(2)} KiB`,
  },
  {
    name: '50 KB of arguments in 16-character deltas / 20 ms',
    ratio: median(streamed) / goalArgumentsMs,
    goal: 1,
    better: 'lower',
    figures: {
      streamedMs: Number(median(streamed).toFixed(2)),
      parsedAtOnceMs: Number(median(parsed).toFixed(2)),
      bytes: Buffer.byteLength(text),
    },
    note: `${median(streamed).toFixed(1)} ms, at once ${median(parsed).toFixed(1)} ms`,
  },
]);
