/** A model that answers at once with a call or a text, in eight deltas, so that only the loop is measured. */
import { Agent, type AgentOptions } from '../../src/core/loop/agent.ts';
import { type AssistantContent, type AssistantMessage, noUsage } from '../../src/core/models/messages.ts';
import type { ModelEvent } from '../../src/core/models/model-ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';

const deltas = 8;
const model = { api: 'no-op', provider: 'bench', id: 'no-op-1' };

/** Numbered from 1; the last answer is a text instead of a call. */
export async function* answer(n: number, turns: number): AsyncGenerator<ModelEvent> {
  const last = n >= turns;
  const content: AssistantContent[] = [];
  const partial: AssistantMessage = {
    role: 'assistant',
    content,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: noUsage,
    stopReason: last ? 'stop' : 'toolUse',
    timestamp: 1_778_790_000_000,
  };
  yield { type: 'start', partial };
  const kind = last ? 'text' : 'toolcall';
  content.push(
    last
      ? { type: 'text', text: 'done' }
      : { type: 'toolCall', id: `call_${n}`, name: 'note', arguments: { text: `step ${n}` } },
  );
  yield { type: `${kind}_start`, contentIndex: 0, partial };
  for (let each = 0; each < deltas; each += 1) {
    yield { type: `${kind}_delta`, contentIndex: 0, delta: 'x', partial };
  }
  yield { type: `${kind}_end`, contentIndex: 0, partial };
  // An array that has grown has spare capacity; the stored message should not.
  yield {
    type: 'done',
    reason: last ? 'stop' : 'toolUse',
    message: { ...partial, content: content.slice() },
  };
}

export function createNoOpAgent(turns: number, more: Partial<AgentOptions> = {}): Agent {
  let asked = 0;
  return new Agent({
    stream: () => {
      asked += 1;
      return answer(asked, turns);
    },
    model,
    system: 'You are measured.',
    thinkingLevel: 'off',
    tools: [
      {
        name: 'note',
        description: 'Notes a text.',
        parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        execute: (_id, { text }) => ({ content: [{ type: 'text', text: `noted ${String(text)}` }] }),
      },
    ],
    clock: createSystemClock(),
    random: createSystemRandom(),
    ...more,
  });
}
