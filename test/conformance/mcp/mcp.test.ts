import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../src/services/clock/system-clock.ts';
import { openMcpHttp } from '../../../src/services/mcp/mcp-http.ts';
import { type McpDoor, openMcpSocket } from '../../../src/services/mcp/mcp-socket.ts';
import { createRecordingLog } from '../../fakes/recording-log.ts';
import { hurried, sampleTools } from './sample-tools.ts';
import { SocketTransport } from './socket-transport.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kennel-mcp-'));
const socket = process.platform === 'win32' ? '\\\\.\\pipe\\kennel-mcp-test' : path.join(folder, 'mcp.sock');
const cancelled: string[] = [];
const clock = hurried(createSystemClock(), 1_000);
const tools = sampleTools(clock, 150_000);
const agents = new Map([
  ['Bearer sample', 'sample'],
  ['Bearer second', 'second'],
]);
const options = {
  agentOf: (authorization: string) => agents.get(authorization) ?? null,
  toolsOf: () => ({ ...tools, cancel: (id: string) => void cancelled.push(id) }),
  version: '1',
  clock,
  log: createRecordingLog(),
};
const clients: Client[] = [];
const doors: McpDoor[] = [];
let url = '';

beforeAll(async () => {
  for (const opened of [await openMcpHttp(options), await openMcpSocket(socket, options)]) {
    if (!opened.ok) throw new Error(opened.error.message);
    doors.push(opened.value);
  }
  url = doors[0]?.url ?? '';
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all(doors.map((door) => door.close()));
  rmSync(folder, { recursive: true, force: true });
});

const transports = {
  http: (): Transport =>
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: 'Bearer sample' } },
    }),
  socket: (): Transport => new SocketTransport(socket, 'sample'),
};
const eras = { '2025-11-25': 'legacy', '2026-07-28': 'auto' } as const;
const cases = (['http', 'socket'] as const).flatMap((door) =>
  (['2025-11-25', '2026-07-28'] as const).map((era) => [door, era] as const),
);

async function opened(door: keyof typeof transports, era: keyof typeof eras): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: eras[era] } });
  clients.push(client);
  await client.connect(transports[door]());
  return client;
}

describe.each(cases)('MCP over %s, revision %s', (door, era) => {
  it('negotiates the revision and offers only tools', async () => {
    const client = await opened(door, era);
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect(client.getServerVersion()?.name).toBe('puffo');
    expect(client.getServerCapabilities()?.tools).toBeDefined();
    for (const other of ['prompts', 'resources', 'logging', 'completions'] as const)
      expect(client.getServerCapabilities()?.[other], other).toBeUndefined();
    await expect(client.request({ method: 'resources/list', params: {} })).rejects.toThrow();
  });

  it('lists tools with their input schemas unchanged', async () => {
    const { tools: listed } = await (await opened(door, era)).listTools();
    expect(listed.map(({ name }) => name)).toContain('test_simple_text');
    const rich = listed.find(({ name }) => name === 'json_schema_2020_12_tool');
    expect(rich?.inputSchema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { address: { $anchor: 'addressDef' } },
      else: { required: ['email'] },
      additionalProperties: false,
    });
  });

  it('returns text, images, tool errors and protocol errors', async () => {
    const client = await opened(door, era);
    expect(await client.callTool({ name: 'test_simple_text' })).toMatchObject({
      content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
    });
    expect(await client.callTool({ name: 'test_image_content' })).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/png' }],
    });
    expect(await client.callTool({ name: 'test_error_handling' })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('reports progress to the caller and cancels an aborted call', async () => {
    const client = await opened(door, era);
    const told: number[] = [];
    await client.callTool(
      { name: 'test_tool_with_progress' },
      { onprogress: ({ progress }) => void told.push(progress) },
    );
    expect(told.slice(0, 3)).toEqual([1, 2, 3]);
    const before = cancelled.length;
    const unwanted = new AbortController();
    const call = client.callTool(
      { name: 'test_tool_with_progress' },
      { signal: unwanted.signal, onprogress: () => unwanted.abort() },
    );
    await expect(call).rejects.toThrow();
    await expect.poll(() => cancelled.length).toBe(before + 1);
    expect(await client.callTool({ name: 'test_simple_text' })).toMatchObject({ content: [{}] });
  });
});

it.each(['http', 'socket'] as const)('MCP over %s answers a ping in revision 2025-11-25', async (door) => {
  expect(await (await opened(door, '2025-11-25')).ping()).toEqual(expect.any(Object));
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** A client that sends these headers without respecting other rules. */
function raw(headers: Record<string, string>, body: unknown, method = 'POST'): Promise<Answer> {
  const usual = {
    authorization: 'Bearer sample',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return new Promise((resolve, reject) => {
    const options = { agent: false, method, headers: { ...usual, ...headers } } as const;
    const sent = request(url, options, (response) => {
      let text = '';
      response.on('data', (piece: Buffer) => {
        text += piece.toString('utf8');
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const asked = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const hello = asked('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});

describe('MCP HTTP endpoint', () => {
  it.each([
    ['another name of this machine', { host: 'evil.example' }, 421],
    ['another port', { host: '127.0.0.1:1' }, 421],
    ['a page', { origin: 'http://evil.example' }, 403],
    ['a page of a file', { origin: 'null' }, 403],
    ['no token', { authorization: '' }, 401],
    ['the token of nobody', { authorization: 'Bearer other' }, 401],
    ['no JSON', { 'content-type': 'text/plain' }, 415],
  ] as const)('rejects a request before reading it: %s (T1, T2, T4)', async (_name, headers, status) => {
    const answer = await raw(headers, hello);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('puffo');
  });

  it('accepts requests from its own origin on loopback', async () => {
    const { host } = new URL(url);
    expect((await raw({ origin: `http://${host}` }, hello)).status).toBe(200);
    expect((await raw({ host: host.replace('127.0.0.1', 'localhost') }, hello)).status).toBe(200);
  });

  it('returns errors for malformed JSON, unknown methods, invalid messages and oversized bodies', async () => {
    expect((await raw({}, '{')).body).toContain('-32700');
    const unknown = await raw({}, asked('no/such/method'));
    expect(unknown.body).toContain('-32601');
    expect((await raw({}, { hello: 1 })).status).toBe(400);
    expect((await raw({}, 'x'.repeat(2 * 1024 * 1024))).status).toBe(413);
  });

  it('limits a session to its agent and rejects ended and unknown sessions', async () => {
    const begun = await raw({}, hello);
    const id = String(begun.headers['mcp-session-id']);
    expect([begun.status, id.length]).toEqual([200, 36]);
    const session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
    const list = asked('tools/list');
    expect((await raw(session, list)).body).toContain('test_simple_text');
    expect((await raw({ ...session, authorization: 'Bearer second' }, list)).status).toBe(404);
    expect((await raw({ ...session, 'mcp-session-id': 'made up' }, list)).status).toBe(404);
    expect((await raw({ ...session, 'mcp-protocol-version': '1999-01-01' }, list)).status).toBe(400);
    expect((await raw(session, '', 'GET')).status).toBe(405);
    expect((await raw(session, '', 'DELETE')).status).toBe(200);
    expect((await raw(session, list)).status).toBe(404);
    expect((await raw({ 'mcp-protocol-version': '2025-11-25' }, list)).status).toBe(200);
  });

  it('evicts the least recently used of more than 32 sessions (T24)', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 33; n += 1) ids.push(String((await raw({}, hello)).headers['mcp-session-id']));
    const stillThere = async (id = ''): Promise<number> =>
      (await raw({ 'mcp-session-id': id }, asked('tools/list'))).status;
    expect([await stillThere(ids[0]), await stillThere(ids[1]), await stillThere(ids[32])]).toEqual([
      404, 200, 200,
    ]);
  });
});
