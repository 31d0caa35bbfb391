// The model calls the tools of an MCP server, in as many rounds as it needs: node mcp-tools.ts news-server --quiet
import { patchOpenAIWithMcp } from 'kennel/ptc';
import OpenAI from 'openai';

const [command = 'news-server', ...args] = process.argv.slice(2);
const client = patchOpenAIWithMcp(new OpenAI(), {
  // Reading runs without a question; nothing else does.
  approve: ({ name }) => name === 'news__fetch',
});
const answer = await client.chat.completions.create({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'What is new?' }],
  mcpServers: [{ name: 'news', command, args, cacheToolsList: true }],
});
console.log(answer.choices[0]?.message.content);
await client.cleanupMcp();
