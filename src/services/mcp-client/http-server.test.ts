import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMcpRig } from '../../../test/fakes/mcp-rig.ts';
import { serveOnLoopback } from '../../../test/fakes/on-loopback.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
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
