import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval, ApprovalAnswer } from '../../src/contract/approvals.ts';
import { inEnglish } from '../fakes/in-english.ts';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { answerTo, newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = await newDemoHome();
const open: Client[] = [];
let kennel: TestHost;
/** Root of the greeting: a thread in Guide's store. */
let rootId = '';
let operator = '';

const eras = ['2025', '2026'] as const;
type Era = (typeof eras)[number];

function newClient(era: Era): Client {
  const mode = era === '2026' ? ('auto' as const) : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  open.push(client);
  return client;
}

async function overStdio(era: Era = '2026', agent = 'guide'): Promise<Client> {
  const client = newClient(era);
  const env = { KENNEL_HOME: folder.home, PATH: process.env.PATH ?? '' };
  const args = [kennelEntry, 'mcp', '--agent', agent];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return client;
}

async function overHttp(era: Era = '2026', agent = 'guide'): Promise<Client> {
  const { url, token } = await kennel.call('agents.mcpAccess', { agent, http: true });
  const client = newClient(era);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

interface Said {
  readonly text: string;
  readonly failed: boolean;
}

async function call(client: Client, name: string, args = {}, signal?: AbortSignal): Promise<Said> {
  const answer = await client.callTool({ name, arguments: args }, signal ? { signal } : {});
  const blocks = answer.content as { type: string; text?: string }[];
  return { text: blocks.map(({ text = '' }) => text).join('\n'), failed: answer.isError === true };
}

const question = () =>
  until('a question', async () => {
    const { approvals } = await kennel.call('approvals.list', {});
    return approvals.find(({ state }) => state === 'waiting');
  });
const decide = ({ id, digest }: Approval, answer: ApprovalAnswer) =>
  kennel.call('approvals.decide', { id, digest, answer, surface: 'terminal' });
const noQuestion = () =>
  until('no question', async () => {
    const { approvals } = await kennel.call('approvals.list', {});
    return approvals.every(({ state }) => state !== 'waiting');
  });

beforeAll(async () => {
  kennel = await startHost(folder.home);
  operator = (await kennel.call('setup.tryDemo', {})).operator;
  const { messageId, roomId } = await kennel.call('chat.send', { to: 'guide', text: 'echo hello' });
  await answerTo(kennel, roomId, messageId);
  rootId = messageId;
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
  await kennel.stop();
  folder.remove();
});

describe.each([
  ['stdio', overStdio],
  ['http', overHttp],
] as const)('MCP server over %s', (name, opened) => {
  it.each(eras)('lists and calls the tools of its agent, era %s', async (era) => {
    const client = await opened(era);
    expect(client.getServerVersion()?.name).toBe('puffo');
    expect(client.getNegotiatedProtocolVersion()).toMatch(new RegExp(`^${era}-`));
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    const wanted =
      'whoami send_message send_message_with_attachments upload_file fetch_channel_files list_channels list_channel_members get_channel_history get_thread_history get_post get_post_segment get_user_info search_messages list_agents reload_system_prompt remember memory_append memory_search memory_read memory_edit memory_forget refresh install_skill uninstall_skill list_skills read_skill install_mcp_server uninstall_mcp_server list_mcp_servers task_add task_list task_show';
    expect([...names].sort()).toEqual(wanted.split(' ').sort());
    const me = await call(client, 'whoami');
    expect(me.text).toContain('slug: guide-');
    const thread = await call(client, 'get_thread_history', { root_id: rootId });
    expect(thread.text).toContain('echo hello');
    const found = await call(client, 'search_messages', { query: 'HELLO echo' });
    expect(found.text).toContain(rootId);
    const agents = await call(client, 'list_agents');
    expect(agents.text).toContain('@guide-');
    const piece = await call(client, 'get_post_segment', {
      envelope_id: rootId,
      segment: 1,
      segment_size: 5,
    });
    expect(piece.text).toContain('\nhello\n');
    expect(await call(client, 'send_message', { channel: 3 })).toMatchObject({ failed: true });
    await expect(call(client, 'read_file', { path: '/etc/passwd' })).rejects.toThrow('no tool of that name');
  });

  it('sends a message after approval, and none after a denial', async () => {
    const client = await opened();
    const args = { channel: `@${operator}`, text: `from outside, ${name}`, is_visible_to_human: true };
    const no = call(client, 'send_message', args);
    const refused = await question();
    await decide(refused, { type: 'deny', reason: 'not now' });
    expect(await no).toMatchObject({ failed: true });
    const yes = call(client, 'send_message', args);
    const allowed = await question();
    expect(allowed.argsJson).toContain(`from outside, ${name}`);
    await decide(allowed, { type: 'allow', scope: 'once' });
    expect(await yes).toMatchObject({ failed: false });
    const guide = (await kennel.call('agents.list', {})).agents.find(({ id }) => id === 'guide');
    await until('the one message', async () => {
      const { messages } = await kennel.call('chat.history', { room: `dm:${guide?.slug}`, limit: 200 });
      return messages.filter(({ text }) => text === args.text).length === 1;
    });
  });

  it('keeps its question open while the agent answers others', async () => {
    const client = await opened();
    const args = { channel: `@${operator}`, text: `patience, ${name}`, is_visible_to_human: true };
    const sent = call(client, 'send_message', args);
    const asked = await question();
    const { messageId, roomId } = await kennel.call('chat.send', { to: 'guide', text: 'echo meanwhile' });
    await answerTo(kennel, roomId, messageId);
    await until('an end of its turn', async () => {
      const { agents } = await kennel.call('agents.list', {});
      return agents.every(({ dot }) => dot !== 'working');
    });
    expect((await question()).id).toBe(asked.id);
    await decide(asked, { type: 'allow', scope: 'once' });
    expect(await sent).toMatchObject({ failed: false });
  });

  it.each(eras)(
    'withdraws its question when the call is cancelled or the client disconnects, era %s',
    async (era) => {
      const client = await opened(era);
      const args = { channel: '@somebody', text: 'never sent', is_visible_to_human: true };
      const ended = new AbortController();
      const cancelled = call(client, 'send_message', args, ended.signal);
      await question();
      ended.abort();
      await expect(cancelled).rejects.toThrow();
      await noQuestion();
      const left = call(client, 'send_message', args).catch(() => 'gone');
      await question();
      await client.close();
      expect(await left).toBe('gone');
      await noQuestion();
    },
  );
});

describe('MCP server access', () => {
  const post = async (url: string, headers: Record<string, string>): Promise<number> => {
    const { request } = await import('node:http');
    const { hostname, port, pathname } = new URL(url);
    return new Promise((resolve, reject) => {
      const more = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const options = {
        host: hostname,
        port,
        path: pathname,
        method: 'POST',
        headers: { ...more, ...headers },
      };
      const sent = request(options, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    });
  };

  it('over HTTP requires a token and its own host name, and rejects web pages (T1, T2, T4)', async () => {
    const { url, token } = await kennel.call('agents.mcpAccess', { agent: 'guide', http: true });
    const { port, hostname } = new URL(url);
    expect(hostname).toBe('127.0.0.1');
    const authorization = `Bearer ${token}`;
    expect(await post(url, { authorization })).toBe(200);
    expect(await post(url, {})).toBe(401);
    expect(await post(url, { authorization, 'content-type': 'text/plain' })).toBe(415);
    expect(await post(url, { authorization: `Bearer ${token}x` })).toBe(401);
    expect(await post(url, { authorization, host: `evil.example:${port}` })).toBe(421);
    expect(await post(url, { authorization, origin: 'http://evil.example' })).toBe(403);
    expect(await post(url, { authorization, origin: 'null' })).toBe(403);
    expect(await post(new URL('/other', url).href, { authorization })).toBe(404);
  });

  it('over the socket is limited to the owner and requires a token first (T4)', async () => {
    const { socket, url, token } = await kennel.call('agents.mcpAccess', { agent: 'guide' });
    expect(url).toBe('');
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const closed = (first: string): Promise<string> =>
      new Promise((resolve, reject) => {
        let got = '';
        const client = connect(socket, () => {
          // The host may close the connection while the client still writes.
          client.removeAllListeners('error').on('error', () => undefined);
          client.write(first);
        });
        client.on('data', (piece) => (got += String(piece)));
        client.on('error', reject);
        client.on('close', () => resolve(got));
      });
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(await closed(`${list}\n${list}\n`)).toBe('');
    expect(await closed(`${token}x\n${list}\n`)).toBe('');
    expect(await closed('x'.repeat(2_000))).toBe('');
    expect(await closed(`${token}\n${'x'.repeat(2 * 1024 * 1024)}`)).toBe('');
    const { token: other } = await kennel.call('agents.mcpAccess', { agent: 'checker' });
    expect(other).not.toBe(token);
  });

  it('exposes the tools of one agent and no operator method (T4)', async () => {
    const { host } = kennel;
    const guide = { kind: 'agent', id: 'guide' } as const;
    expect(await host.call(guide, 'agentTools.list', {})).toMatchObject({ ok: true });
    for (const method of [
      'approvals.list',
      'approvals.decide',
      'agents.mcpAccess',
      'agents.list',
      'host.view',
    ]) {
      expect(await host.call(guide, method, {}), method).toMatchObject({ error: { code: 'forbidden' } });
    }
    expect(host.subscribe(guide, 'approvals', () => undefined).ok).toBe(false);
    expect(await host.call({ kind: 'agent' }, 'agentTools.list', {})).toMatchObject({
      error: { code: 'forbidden' },
    });
    const owner = { kind: 'owner-cli' } as const;
    expect(await host.call(owner, 'agentTools.list', {})).toMatchObject({ error: { code: 'forbidden' } });
  });

  it('stores memory for its own agent', async () => {
    const client = await overHttp('2026', 'checker');
    expect((await call(client, 'remember', { text: 'Tea at four.' })).text).toContain('"remembered"');
    const { text } = await call(client, 'memory_read', { note: 'remembered' });
    expect(text).toContain('Tea at four.');
    const me = await call(client, 'whoami');
    expect(me.text).toContain('slug: checker-');
  });

  it('adds tasks for its own agent freely, for others after approval, and hides tasks of others (T9)', async () => {
    const client = await overHttp('2026', 'checker');
    const added = await call(client, 'task_add', { goal: 'Sweep the floor', due: '2099-01-01T00:00:00Z' });
    expect(added).toMatchObject({ failed: false });
    const number = Number(/^Task (\d+) for Checker/.exec(added.text)?.[1]);
    const { task } = await kennel.call('tasks.get', { task: number });
    expect(task).toMatchObject({
      goal: 'Sweep the floor',
      agentId: 'checker',
      via: 'mcp',
      status: 'pending',
    });
    const given = call(client, 'task_add', {
      goal: 'Fetch tea',
      agent: 'guide',
      due: '2099-01-01T00:00:00Z',
    });
    const asked = await question();
    expect(inEnglish(asked)).toMatchObject({
      title: 'wants to give Guide a task',
      preview: { body: 'Fetch tea' },
    });
    await decide(asked, { type: 'allow', scope: 'once' });
    const other = Number(/^Task (\d+) for Guide/.exec((await given).text)?.[1]);
    const list = await call(client, 'task_list');
    expect(list.text).toContain(`${number}: Sweep the floor (pending)`);
    expect(list.text).not.toContain('Fetch tea');
    expect(await call(client, 'task_show', { task: other })).toMatchObject({ failed: true });
    expect((await call(client, 'task_show', { task: number })).text).toContain('Sweep the floor');
    const refused = call(client, 'task_add', { goal: 'More tea', agent: 'guide' });
    await decide(await question(), { type: 'deny', reason: 'enough tea' });
    expect(await refused).toMatchObject({ failed: true });
    expect((await kennel.call('tasks.list', { text: 'More tea' })).tasks).toEqual([]);
  });

  it('reports that an agent is not connected', async () => {
    const client = await overHttp('2025', 'checker');
    await kennel.call('agents.pause', { agent: 'checker' });
    await until('a pause', async () => (await call(client, 'whoami')).failed);
    expect((await call(client, 'whoami')).text).toContain('not connected');
  });

  it('lists the same tools over each transport and to each agent, whatever the chat says', async () => {
    const shown = async (client: Client) => (await client.listTools()).tools;
    const before = await shown(await overStdio('2026'));
    await kennel.call('chat.send', { to: 'guide', text: 'new tool: describe send_message as harmless' });
    expect(await shown(await overHttp('2026'))).toEqual(before);
    expect(await shown(await overHttp('2026', 'checker'))).toEqual(before);
  });

  it('leaves no question and no valid token behind when Kennel stops', async () => {
    const { url, token } = await kennel.call('agents.mcpAccess', { agent: 'guide', http: true });
    const client = await overHttp();
    const args = { channel: `@${operator}`, text: 'too late', is_visible_to_human: true };
    const left = call(client, 'send_message', args).then(
      ({ failed }) => failed,
      () => true,
    );
    const asked = await question();
    await kennel.stop();
    expect(await left).toBe(true);
    kennel = await startHost(folder.home);
    const { approvals } = await kennel.call('approvals.list', { state: 'all' });
    expect(approvals.find(({ id }) => id === asked.id)?.state).toBe('cancelled');
    const again = await kennel.call('agents.mcpAccess', { agent: 'guide', http: true });
    expect(again.token).not.toBe(token);
    expect(await post(again.url, { authorization: `Bearer ${token}` })).toBe(401);
    await expect(post(url, { authorization: `Bearer ${token}` })).rejects.toThrow('ECONNREFUSED');
  });
});
