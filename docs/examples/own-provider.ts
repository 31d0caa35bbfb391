// A custom provider is a function: it receives the conversation and yields events, ending with `done` or
// `error`.
import { type AssistantMessage, createAgent, type StreamFunction } from 'kennel';

const shout: StreamFunction = async function* (context) {
  const asked = context.messages.at(-1)?.content.find((block) => block.type === 'text');
  const text = (asked?.text ?? '').toUpperCase();
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: null };
  const message: AssistantMessage = {
    role: 'assistant',
    content: [{ type: 'text', text }],
    api: 'shout',
    provider: 'own',
    model: 'shout-1',
    usage,
    stopReason: 'stop',
    timestamp: Date.now(),
  };
  yield { type: 'done', reason: 'stop', message };
};

const agent = createAgent({ stream: shout });
console.log(await agent.ask('is anybody there?'));
