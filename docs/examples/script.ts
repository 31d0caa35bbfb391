// Replaces the model in the other examples: plays a script of texts and calls, one step per request.
import type { AssistantMessage, StreamFunction } from 'kennel';

type Step =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> };

export function script(steps: readonly Step[]): StreamFunction {
  let at = 0;
  return async function* () {
    const step = steps[at] ?? { say: '(the script is at its end)' };
    at += 1;
    const calls = 'call' in step;
    const reason = calls ? 'toolUse' : 'stop';
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: null };
    const message: AssistantMessage = {
      role: 'assistant',
      content: calls
        ? [{ type: 'toolCall', id: `call_${at}`, name: step.call, arguments: step.args }]
        : [{ type: 'text', text: step.say }],
      api: 'script',
      provider: 'script',
      model: 'script',
      usage,
      stopReason: reason,
      timestamp: Date.now(),
    };
    yield { type: 'done', reason, message };
  };
}
