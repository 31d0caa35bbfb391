/**
 * An MCP server on standard input and output whose content is the file `NEWS_FILE`: as the result of the tool
 * `fetch`, and as the resource `news://today` with subscriptions. The tool `post` appends to the file `POST_FILE`.
 * With `ONLY_MODERN` it refuses the era of 2025.
 */
import { appendFileSync, readFileSync, watchFile } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const { NEWS_FILE: file = '', POST_FILE: posts = '', ONLY_MODERN: onlyModern } = process.env;
const uri = 'news://today';
const text = (): string => readFileSync(file, 'utf8');

function createServer(): McpServer {
  const server = new McpServer(
    { name: 'news', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true } } },
  );
  server.registerTool('fetch', { inputSchema: z.object({ url: z.string().optional() }) }, () => ({
    content: [{ type: 'text', text: text() }],
  }));
  server.registerTool('post', { inputSchema: z.object({ text: z.string() }) }, (args) => {
    appendFileSync(posts, `${args.text}\n`);
    return { content: [{ type: 'text', text: 'posted' }] };
  });
  server.registerResource('today', uri, {}, () => ({ contents: [{ uri, text: text() }] }));
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  watchFile(
    file,
    { interval: 20 },
    () => void server.server.sendResourceUpdated({ uri }).catch(() => undefined),
  );
  return server;
}

serveStdio(createServer, { legacy: onlyModern ? 'reject' : 'serve' });
process.stdin.on('end', () => process.exit(0));
