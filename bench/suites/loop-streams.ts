/**
 * 100 agents in one process, each with an answer that streams a word every 20 ms: the delay of the event
 * loop. The peer runs the same timers without agents.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type AssistantMessage, noUsage, type TextBlock } from '../../src/core/models/messages.ts';
import type { ModelEvent } from '../../src/core/models/model-ports.ts';
import { pause, report } from '../lib/measure.ts';
import { createNoOpAgent } from '../lib/no-op-model.ts';

const agents = 100;
const words = 150;
const everyMs = 20;
const goalMs = 20;

async function* talk(): AsyncGenerator<ModelEvent> {
  const block: { -readonly [K in keyof TextBlock]: TextBlock[K] } = { type: 'text', text: '' };
  const partial: AssistantMessage = {
    role: 'assistant',
    content: [block],
    api: 'no-op',
    provider: 'bench',
    model: 'talker',
    usage: noUsage,
    stopReason: 'stop',
    timestamp: 1_778_790_000_000,
  };
  yield { type: 'start', partial };
  yield { type: 'text_start', contentIndex: 0, partial };
  for (let n = 0; n < words; n += 1) {
    await pause(everyMs);
    block.text += 'word ';
    yield { type: 'text_delta', contentIndex: 0, delta: 'word ', partial };
  }
  yield { type: 'text_end', contentIndex: 0, partial };
  yield { type: 'done', reason: 'stop', message: partial };
}

async function oneAgent(at: number): Promise<number> {
  // Start times are spread like those of real answers.
  await pause((at * everyMs) / agents);
  const agent = createNoOpAgent(1, { stream: talk });
  let heard = 0;
  agent.subscribe((event) => {
    if (event.type === 'message_update') heard += 1;
  });
  await agent.prompt('go');
  return heard;
}

async function onlyTimers(at: number): Promise<number> {
  await pause((at * everyMs) / agents);
  for (let n = 0; n < words; n += 1) await pause(everyMs);
  return words;
}

/** Delay of the event loop in ms, p99. */
async function delay(work: (at: number) => Promise<number>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 5 });
  monitor.enable();
  const heard = await Promise.all(Array.from({ length: agents }, (_, at) => work(at)));
  monitor.disable();
  if (heard.some((count) => count < words)) throw new Error('a delta was lost');
  // Subtracts the sampling interval, which the monitor includes.
  return Math.max(0, monitor.percentile(99) / 1e6 - 5);
}

await delay(onlyTimers);
const timers = await delay(onlyTimers);
const streaming = await delay(oneAgent);
report([
  {
    name: '100 agents streaming: event-loop delay p99 / 20 ms',
    ratio: streaming / goalMs,
    goal: 1,
    better: 'lower',
    figures: { streamingP99Ms: Number(streaming.toFixed(2)), timersOnlyP99Ms: Number(timers.toFixed(2)) },
    note: `${streaming.toFixed(1)} ms, timers alone ${timers.toFixed(1)} ms`,
  },
]);
