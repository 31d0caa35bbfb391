// An agent with one tool; prints its text as it streams. Run it with your own key, or without one on a fixed
// script: PROVIDER=anthropic API_KEY=... node docs/examples/basic.ts
import { createAgent } from 'kennel';

const { PROVIDER: provider = 'scripted', API_KEY: apiKey = '' } = process.env;

const agent = createAgent({
  model: { provider, apiKey },
  system: 'You are a patient helper. Use your tools where they help.',
  tools: [
    {
      name: 'clock',
      description: 'Tells the time in a time zone.',
      parameters: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
      run: ({ zone }) => new Date().toLocaleTimeString('en-GB', { timeZone: String(zone) }),
    },
  ],
});

agent.subscribe((event) => {
  if (event.type === 'tool_execution_start') console.log(`[${event.toolName}]`, event.args);
  if (event.type !== 'message_update') return;
  const inner = event.assistantMessageEvent;
  if (inner.type === 'text_delta') process.stdout.write(inner.delta);
});

await agent.prompt('Hello! What time is it in Lisbon?');
console.log(agent.state.errorMessage ?? '\n(done)');
