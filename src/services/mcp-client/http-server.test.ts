import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMcpRig } from '../../../test/fakes/mcp-rig.ts';
import { serveOnLoopback } from '../../../test/fakes/on-loopback.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
import type { McpToolDefinition } from '../../core/mcp/mcp-ports.ts';
import { mcpServerConfigSchema } from '../../core/mcp/server-config.ts';

const uri = 'news://latest';

function newServer(): McpServer {
  const server = new McpServer(
    { name: 'modern', version: '2' },
    { capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } } },
  );
  server.registerTool('sum', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  server.registerResource('latest', uri, {}, () => ({ contents: [{ uri, text: 'news' }] }));
  return server;
}

/** A server of the 2025 era that announces no changes of its tools, and forgets its sessions on `restart`. */
async function serveLegacy() {
  let session = 1;
  let calls = 0;
  const server = await serveOnLoopback(async (req, res) => {
    if (req.method !== 'POST') return void res.writeHead(405).end();
    const pieces: Buffer[] = [];
    for await (const piece of req) pieces.push(piece);
    const { id, method } = JSON.parse(Buffer.concat(pieces).toString()) as { id?: number; method: string };
    const known = req.headers['mcp-session-id'];
    if (known !== undefined && known !== String(session)) return void res.writeHead(404).end();
    if (id === undefined) return void res.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'old', version: '1' },
        capabilities: { tools: {} },
      },
      'tools/call': { content: [] },
      'tools/list': { tools: [{ name: 'a', description: `${session}`, inputSchema: { type: 'object' } }] },
    };
    if (method === 'tools/call') calls += 1;
    const result = results[method];
    const said = result ? { result } : { error: { code: -32601, message: 'unknown' } };
    res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': String(session) });
    return void res.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
  });
  const restart = (): void => {
    session += 1;
  };
  return { ...server, restart, calls: () => calls };
}

it('A server that was started anew counts as one with changed tools, whatever it announces (T10)', async () => {
  const server = await serveLegacy();
  const rig = createMcpRig({});
  const connection = await rig.open(mcpServerConfigSchema.parse({ url: `${server.url}/mcp`, oauth: false }));
  expect((await connection.callTool('a', {})).ok).toBe(true);
  expect(rig.events).toEqual([]);
  server.restart();
  expect((await connection.callTool('a', {})).ok).toBe(true);
  await rig.untilEvent({ kind: 'toolsChanged' });
  await connection.close();
  await server.stop();
});

it('A call does not reach a renewed session whose definition of the tool is not accepted (T10)', async () => {
  const server = await serveLegacy();
  const rig = createMcpRig({});
  const connection = await rig.open(mcpServerConfigSchema.parse({ url: `${server.url}/mcp`, oauth: false }));
  await connection.tools();
  const seen: (string | undefined)[] = [];
  const accepts = (tool: McpToolDefinition | null): boolean => {
    seen.push(tool?.description);
    return tool?.description === '1';
  };
  expect(await connection.callTool('a', {}, { accepts })).toMatchObject({ ok: true });
  expect(seen).toEqual([]);
  server.restart();
  expect(await connection.callTool('a', {}, { accepts })).toMatchObject({ error: { code: 'forbidden' } });
  expect([seen, server.calls()]).toEqual([['2'], 1]);
  await connection.close();
  await server.stop();
});

describe('Connection to a server of the 2026 era over HTTP', () => {
  let stop = async (): Promise<void> => undefined;
  afterEach(() => stop());

  async function begin() {
    const handler = createMcpHandler(newServer);
    const server = await serveOnLoopback(
      getRequestListener((request) => handler.fetch(request), { overrideGlobalObjects: false }),
    );
    stop = async () => {
      await handler.close();
      await server.stop();
    };
    const config = mcpServerConfigSchema.parse({ url: `${server.url}/mcp`, oauth: false });
    return { handler, config };
  }

  it('finds the era, calls tools, and is told of updates', async () => {
    const { handler, config } = await begin();
    const rig = createMcpRig({});
    const connection = await rig.open(config);
    expect(connection).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
    expect(rig.eras.get('server')).toContain('"modern"');
    expect(await connection.callTool('sum', { a: 2, b: 3 })).toMatchObject({
      value: { content: [{ type: 'text', text: '5' }] },
    });
    expect(await connection.readResource(uri)).toEqual(ok([{ uri, text: 'news' }]));
    expect(await connection.subscribe(uri)).toEqual(ok(undefined));
    handler.notify.resourceUpdated(uri);
    await rig.untilEvent({ kind: 'resourceUpdated', uri });
    handler.notify.toolsChanged();
    await rig.untilEvent({ kind: 'toolsChanged' });
    await connection.close();
    expect(rig.events.at(-1)).toEqual({ kind: 'closed', reason: { by: 'client' } });
  });

  it('uses the cached verdict', async () => {
    const { config } = await begin();
    const rig = createMcpRig({});
    await (await rig.open(config)).close();
    const again = await rig.open(config);
    expect(again.era).toBe('modern');
    await again.close();
  });

  it('forgets a verdict that no longer holds', async () => {
    const { config } = await begin();
    const clock = createVirtualClock();
    const rig = createMcpRig({ clock });
    rig.eras.set('server', 'damaged');
    const connection = await rig.open(config);
    expect(connection.era).toBe('modern');
    await connection.close();
  });

  it('fails if nothing listens', async () => {
    const { config } = await begin();
    await stop();
    stop = async () => undefined;
    const rig = createMcpRig({});
    const opened = await rig.connector.connect({ id: 'server', config }, rig.handlers);
    expect(opened).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });
});
