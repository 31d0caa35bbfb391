// The model writes code that calls the tools, and reads only what the code prints: node code-with-tools.ts news-server
import { displayEvents, patchOpenAIWithPtc } from 'kennel/ptc';
import OpenAI from 'openai';

const [command = 'news-server', ...args] = process.argv.slice(2);
// No `bash` and no `python`: code only computes and calls tools.
const client = patchOpenAIWithPtc(new OpenAI(), { executor: null });
const stream = await client.chat.completions.create({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'How long is the news?' }],
  mcpServers: [{ name: 'news', command, args }],
  stream: true,
});
for await (const event of displayEvents(stream)) {
  if (event.type === 'text_delta') process.stdout.write(event.text);
  if (event.type === 'code_execution') console.log(`[${event.status}] ${event.output}`);
  if (event.type === 'turn_end') console.log();
}
await client.cleanupPtc();
