// A small MCP server over standard input and output, of the era 2025-11-25. Its tool says what the file in
// DESCRIPTION_FILE says, and returns its arguments and its process id. With CALLED_FILE it writes its process id there
// instead of a result, and outlives its input.
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly arguments?: unknown };
}

const describe = (): string => readFileSync(process.env.DESCRIPTION_FILE ?? '', 'utf8');

function resultOf({ method, params }: Request): object | null {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'fixture', version: '1.0.0' },
      };
    case 'tools/list':
      return {
        tools: [
          {
            name: 'echo',
            description: describe(),
            inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
            annotations: { readOnlyHint: true },
          },
        ],
      };
    case 'tools/call':
      return { content: [{ type: 'text', text: `${JSON.stringify(params?.arguments)} by ${process.pid}` }] };
    default:
      return null;
  }
}

const called = process.env.CALLED_FILE;
if (called !== undefined) setInterval(() => undefined, 60_000);

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) continue;
  if (called !== undefined && request.method === 'tools/call') {
    writeFileSync(called, `${process.pid}`);
    continue;
  }
  const result = resultOf(request);
  const answer = result ? { result } : { error: { code: -32_601, message: 'Unknown method' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, ...answer })}\n`);
}
