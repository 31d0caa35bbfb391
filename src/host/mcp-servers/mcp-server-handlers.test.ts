import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMcpServerRig, echoTool } from '../../../test/fakes/mcp-server-rig.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
import { createMcpServerHandlers } from './mcp-server-handlers.ts';

let workspace: string;
let rig: ReturnType<typeof createMcpServerRig>;
let handlers: ReturnType<typeof createMcpServerHandlers>;

const operator = { kind: 'owner-ui' } as const;
const ref = { name: 'memory' };
const call = (tool = 'echo') =>
  handlers['mcpServers.callTool']({ ...ref, tool, args: { text: 'hi' } }, operator);

async function show() {
  const shown = await handlers['mcpServers.show'](ref, operator);
  if (!shown.ok) throw new Error('no server');
  return shown.value;
}

async function allow(): Promise<void> {
  const { hash } = await show();
  await handlers['mcpServers.accept']({ ...ref, hash }, operator);
  await handlers['mcpServers.start'](ref, operator);
}

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'kennel-workspace-'));
  rig = createMcpServerRig(
    { id: 'ada', folder: workspace, config: null, lastGood: null, error: null, requests: [] },
    workspace,
  );
  rig.configure({ memory: { command: 'mcp-server-memory' } });
  handlers = createMcpServerHandlers({
    agents: { get: () => rig.agent, list: () => [rig.agent] },
    servers: rig.servers,
    sources: rig.sources,
    secrets: {
      mcp: {
        get: () => ok(null),
        set: () => ok(undefined),
        delete: () => ok(undefined),
        has: () => ok(false),
      },
      openForReal: async () => ok(undefined),
    } as never,
    scrub: (text) => text,
  });
});
afterEach(async () => {
  await rig.servers.stop();
  rig.remove();
  rmSync(workspace, { recursive: true });
});

describe('A call of a tool by the operator', () => {
  it('reaches only a server whose command was accepted', async () => {
    expect(await call()).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect([rig.server.starts, rig.server.calls]).toEqual([0, []]);
    await allow();
    expect(await call()).toEqual({ ok: true, value: { isError: false, text: 'done', cut: false } });
    expect((await show()).calls).toMatchObject([{ tool: 'echo', agent: null, outcome: 'ok' }]);
  });

  it('reaches no tool whose definition waits, and none that was never accepted (T10)', async () => {
    await allow();
    rig.server.tools = [
      { ...echoTool, description: 'Another one.' },
      { ...echoTool, name: 'new' },
    ];
    rig.server.send({ kind: 'toolsChanged' });
    await settle();
    for (const tool of ['echo', 'new', 'unknown'])
      expect((await call(tool)).ok, `the call of ${tool}`).toBe(false);
    expect(rig.server.calls).toEqual([]);
  });

  it('returns a limited text with invisible characters named, and errors of the tool (T27)', async () => {
    await allow();
    rig.server.result = ok({
      content: [
        { type: 'text', text: 'a\u202eb' },
        { type: 'image', data: '', mimeType: 'image/png' },
      ],
      isError: true,
    });
    expect(await call()).toEqual({
      ok: true,
      value: { isError: true, text: 'a[U+202E]b\n[Content of type image/png left out.]', cut: false },
    });
    rig.server.result = ok({ content: [{ type: 'text', text: 'x'.repeat(50_000) }], isError: false });
    const long = await call();
    expect(long.ok && [long.value.text.length, long.value.cut]).toEqual([20_000, true]);
  });
});

describe('Details of a server', () => {
  it('have the schema of each tool, and what the server claims about it', async () => {
    rig.server.tools = [{ ...echoTool, annotations: { readOnlyHint: true, destructiveHint: false } }];
    await allow();
    const [tool] = (await show()).accepted;
    expect(tool).toMatchObject({
      parameters: echoTool.inputSchema,
      claims: { readOnly: true, destructive: false },
    });
  });
});

describe('A changed definition that was found before any agent used the server', () => {
  it('is a question as soon as an agent uses it (T10)', async () => {
    await allow();
    await rig.servers.stop();
    const later = rig.restarted();
    rig.server.tools = [{ ...echoTool, description: 'Another one.' }];
    const listed = await later.list(rig.agent);
    await (listed.ok ? listed.value.known[0] : undefined)?.live.begin(new AbortController().signal);
    expect(rig.asked).toEqual([]);
    await later.toolsFor(rig.agent, 'use');
    await later.toolsFor(rig.agent, 'use');
    expect(rig.asked.map(({ question }) => question.subject)).toEqual(['mcp_tools']);
    await later.stop();
  });
});
