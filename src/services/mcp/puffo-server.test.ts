import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import type { AgentToolResult } from '../../contract/agent-tool-methods.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { createPuffoServer } from './puffo-server.ts';

async function make() {
  const clock = createVirtualClock();
  const waiting: ((result: Result<AgentToolResult>) => void)[] = [];
  const server = createPuffoServer({
    clock,
    version: '1',
    tools: {
      list: async () => err(textError('not_found', 'This agent is not known here any more.')),
      call: () => new Promise((resolve) => waiting.push(resolve)),
      cancel: () => undefined,
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  return { clock, client, waiting };
}

const done = ok({ content: [{ type: 'text' as const, text: 'sent' }], isError: false });

it('The MCP server reports progress of a waiting call to a client that asked, and stops at its end', async () => {
  const { clock, client, waiting } = await make();
  const told: number[] = [];
  const call = client.callTool(
    { name: 'send_message', arguments: {} },
    { onprogress: ({ progress }) => void told.push(progress) },
  );
  await settle();
  await clock.advance(46_000);
  expect(told).toEqual([1, 2, 3]);
  waiting[0]?.(done);
  expect((await call).content).toEqual([{ type: 'text', text: 'sent' }]);
  expect(clock.pending()).toBe(0);
});

it('The MCP server returns Kennel’s errors to the model, and throws for an unknown tool or agent', async () => {
  const { client, waiting } = await make();
  const locked = client.callTool({ name: 'send_message', arguments: {} });
  await settle();
  waiting[0]?.(err(textError('locked', 'Your secrets are locked.', { hint: 'Unlock them.' })));
  expect(await locked).toMatchObject({
    isError: true,
    content: [{ text: 'Your secrets are locked. Unlock them.' }],
  });
  const unknown = client.callTool({ name: 'other', arguments: {} });
  await settle();
  waiting[1]?.(err(textError('not_found', 'This agent has no tool of that name.')));
  await expect(unknown).rejects.toThrow('no tool of that name');
  await expect(client.listTools()).rejects.toThrow('not known here any more');
});
