import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalAnswer, PolicyMode } from '../../src/contract/approvals.ts';
import { answerTo, newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = await newDemoHome();
const workspace = path.join(folder.home, 'agents', 'guide', 'workspace');
let kennel: TestHost;
let client: Client;

/** Requests to the agent's model, and its response: immediate, or when the test releases it. */
interface Asked {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly string[];
}
const asked: Asked[] = [];
let held: Promise<unknown> = Promise.resolve();

const bodySchema = (text: string) =>
  JSON.parse(text) as {
    model: string;
    messages: { content: string }[];
    tools?: { function: { name: string } }[];
  };

async function answerOfModel(init: RequestInit | undefined): Promise<Response> {
  const { model, messages, tools = [] } = bodySchema(String(init?.body));
  asked.push({
    model,
    system: JSON.stringify(messages[0]?.content),
    tools: tools.map((tool) => tool.function.name),
  });
  await held;
  const choices = [{ message: { content: 'said by the model' }, finish_reason: 'stop' }];
  return Response.json({ id: `r${asked.length}`, choices });
}

async function call(name: string, args: object = {}) {
  const answer = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const blocks = answer.content as { type: string; text?: string }[];
  return { text: blocks.map(({ text = '' }) => text).join('\n'), failed: answer.isError === true };
}

const isWaiting = ({ state }: { readonly state: string }) => state === 'waiting';
const question = () =>
  until('a question', async () => {
    const { approvals } = await kennel.call('approvals.list', {});
    return approvals.find(isWaiting);
  });

/** A changed agent.yml applies once the host has read it; a call before that uses the old mode. */
const modeInForce = (mode: PolicyMode) =>
  until(
    `the mode ${mode}`,
    async () => (await kennel.call('agents.tools', { agent: 'guide' })).mode === mode,
  );

/** Makes the call, and answers the approval that it requests. */
async function answered(
  name: string,
  args: object,
  answer: ApprovalAnswer = { type: 'allow', scope: 'once' },
) {
  const made = call(name, args);
  const { id, digest, preview } = await question();
  await kennel.call('approvals.decide', { id, digest, answer, surface: 'terminal' });
  return { ...(await made), preview };
}

/** Sends a text to the agent, and returns the model request that follows. */
async function nextTurn(text: string) {
  const before = asked.length;
  const { messageId, roomId } = await kennel.call('chat.send', { to: 'guide', text });
  const turn = await until('a request to the model', () => asked[before]);
  return { messageId, roomId, turn };
}

beforeAll(async () => {
  kennel = await startHost(folder.home, {
    fetch: async (input, init) =>
      String(input).startsWith('http://127.0.0.1:9/') ? answerOfModel(init) : fetch(input, init),
  });
  await kennel.call('setup.tryDemo', {});
  const baseUrl = 'http://127.0.0.1:9/v1';
  await kennel.call('agents.setRuntime', {
    agent: 'guide',
    provider: 'openai-compatible',
    baseUrl,
    model: 'small',
  });
  const { url, token } = await kennel.call('agents.mcpAccess', { agent: 'guide', http: true });
  client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  await until('the agent', async () => !(await call('whoami')).failed);
});
beforeEach(() => {
  held = Promise.resolve();
});
afterAll(async () => {
  await client?.close();
  await kennel?.stop();
  folder.remove();
});

const skill = '---\nname: tables\ndescription: Makes tables nicely.\n---\n# Tables\nUse pipes.\n';

describe('Agent that installs its own tools', () => {
  it('shows a skill in full for approval, lists it in the next turn, and can remove it', async () => {
    const first = await nextTurn('hello');
    expect(first.turn.system).not.toContain('Your skills');
    expect(first.turn.tools).toEqual(expect.arrayContaining(['read_skill', 'install_skill']));
    await answerTo(kennel, first.roomId, first.messageId);
    const no = await answered(
      'install_skill',
      { name: 'tables', content: skill },
      { type: 'deny', reason: '' },
    );
    expect([no.failed, existsSync(path.join(workspace, '.claude', 'skills', 'tables'))]).toEqual([
      true,
      false,
    ]);
    const yes = await answered('install_skill', { name: 'tables', content: skill });
    expect([yes.failed, yes.preview.body.includes('+Use pipes.')]).toEqual([false, true]);
    expect((await call('list_skills')).text).toBe('tables (agent): Makes tables nicely.');
    const second = await nextTurn('and now?');
    expect(second.turn.system).toContain('<description>Makes tables nicely.</description>');
    expect(second.turn.system).not.toContain('Use pipes');
    await answerTo(kennel, second.roomId, second.messageId);
    expect((await answered('uninstall_skill', { name: 'tables' })).failed).toBe(false);
    const third = await nextTurn('and then?');
    expect(third.turn.system).not.toContain('Your skills');
    await answerTo(kennel, third.roomId, third.messageId);
  });

  it('gets no permission from a rule, and fails without asking in unattended mode (T9)', async () => {
    const file = path.join(folder.home, 'agents', 'guide', 'agent.yml');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, `${before}policy:\n  mode: unattended\n  rules:\n    - action: allow\n`);
    await modeInForce('unattended');
    for (const [name, args] of [
      ['install_skill', { name: 'tables', content: skill }],
      ['install_mcp_server', { name: 'x', command: 'npx' }],
      ['refresh', { model: 'large' }],
    ] as const)
      expect((await call(name, args)).failed, name).toBe(true);
    expect((await kennel.call('approvals.list', {})).approvals.filter(isWaiting)).toEqual([]);
    writeFileSync(file, before);
    await modeInForce('ask');
    const asks = await answered(
      'install_skill',
      { name: 'tables', content: skill },
      { type: 'deny', reason: '' },
    );
    expect(asks.failed).toBe(true);
  });

  it('adds, lists and removes an MCP server in its workspace, and rejects a host path as command', async () => {
    const args = { name: 'db', command: 'npx', args: ['-y', 'db-server'] };
    expect((await answered('install_mcp_server', args)).failed).toBe(false);
    const { mcpServers } = JSON.parse(readFileSync(path.join(workspace, '.mcp.json'), 'utf8'));
    expect(mcpServers).toEqual({ db: { command: 'npx', args: ['-y', 'db-server'] } });
    expect((await call('list_mcp_servers')).text).toBe('db (agent): npx -y db-server');
    expect((await call('install_mcp_server', { name: 'x', command: '/Users/me/x' })).failed).toBe(true);
    expect((await answered('uninstall_mcp_server', { name: 'db' })).failed).toBe(false);
  });

  it('changes its model after approval, from the next turn on', async () => {
    expect((await call('reload_system_prompt')).failed).toBe(false);
    expect((await call('refresh')).failed).toBe(false);
    const larger = await answered('refresh', { model: 'large' });
    expect([larger.failed, larger.preview.body.includes('Now: small')]).toEqual([false, true]);
    await until('the agent', async () => !(await call('whoami')).failed);
    const { turn, roomId, messageId } = await nextTurn('with which model?');
    expect(turn.model).toBe('large');
    await answerTo(kennel, roomId, messageId);
  });
});

describe('External program that acts for the agent during a turn', () => {
  const said = async (roomId: string, rootId: string): Promise<readonly string[]> => {
    const { messages } = await kennel.call('chat.history', { room: roomId, limit: 200 });
    return messages.filter((one) => one.threadRootId === rootId && !one.own).map(({ text }) => text);
  };
  const idle = () =>
    until('the end of the turn', async () => {
      const { agents } = await kennel.call('agents.list', {});
      return agents.every(({ dot }) => dot !== 'working');
    });

  it("answers in the thread; the model's own text is not posted then (spec §3.6)", async () => {
    const { operator } = await kennel.call('host.view', {}).then((view) => ({ operator: view.operator }));
    let letGo: () => void = () => undefined;
    held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { messageId, roomId } = await nextTurn('who answers?');
    const args = {
      channel: `@${operator?.slug}`,
      text: 'from outside',
      is_visible_to_human: true,
      root_id: messageId,
    };
    expect((await answered('send_message', args)).failed).toBe(false);
    letGo();
    await idle();
    await until('the message', async () => (await said(roomId, messageId)).length > 0);
    expect(await said(roomId, messageId)).toEqual(['from outside']);
    const next = await nextTurn('and now?');
    await answerTo(kennel, next.roomId, next.messageId);
    expect(await said(next.roomId, next.messageId)).toEqual(['said by the model']);
    expect(await said(roomId, messageId)).toEqual(['from outside']);
  });
});
