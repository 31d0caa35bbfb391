/** `kennel acp` as an editor uses it: the client of the protocol's own library drives the command. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { promised } from '../fakes/patience.ts';
import { type DemoHost, eachTestWithDemo } from './demo-rig.ts';
import { until } from './host-rig.ts';

type Permission = {
  readonly request: RequestPermissionRequest;
  readonly signal: AbortSignal;
  answer(response: RequestPermissionResponse): void;
};

interface Editor {
  readonly connection: ClientConnection;
  readonly child: ChildProcessWithoutNullStreams;
  readonly updates: { sessionId: string; update: SessionUpdate }[];
  readonly permissions: Permission[];
  /** Lines on standard output that are no messages of the protocol. */
  readonly noise: string[];
  stderr(): string;
}

let demo: DemoHost;
eachTestWithDemo((started) => {
  demo = started;
});

const editors: Editor[] = [];
const workspace = (): string => path.join(demo.home.home, 'agents', 'guide', 'workspace');

function openEditor(): Editor {
  const home = demo.home.home;
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [kennelEntry, 'acp', '--agent', 'guide'], {
    env: { PATH, HOME: home, KENNEL_HOME: home },
  });
  const [updates, permissions, noise]: [Editor['updates'], Permission[], string[]] = [[], [], []];
  let errors = '';
  child.stderr.on('data', (piece) => (errors += String(piece)));
  const [forLibrary, forNoise] = (Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>).tee();
  void (async () => {
    let rest = '';
    for await (const piece of forNoise) {
      const lines = (rest + Buffer.from(piece).toString()).split('\n');
      rest = lines.pop() ?? '';
      noise.push(...lines.filter((line) => !line.startsWith('{"jsonrpc":"2.0"')));
    }
  })();
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
  const connection = client({ name: 'test editor' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params))
    .onRequest(
      methods.client.session.requestPermission,
      ({ params, signal }) => new Promise((answer) => permissions.push({ request: params, signal, answer })),
    )
    .connect(ndJsonStream(output, forLibrary));
  const editor = { connection, child, updates, permissions, noise, stderr: () => errors };
  editors.push(editor);
  return editor;
}

afterEach(async () => {
  for (const { child, noise } of editors.splice(0)) {
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(noise).toEqual([]);
  }
});

async function begin(editor: Editor, cwd = workspace()): Promise<string> {
  const { agent } = editor.connection;
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  return sessionId;
}

const prompt = (editor: Editor, sessionId: string, text: string) =>
  editor.connection.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text }],
  });

const textOf = (editor: Editor, kind: SessionUpdate['sessionUpdate']): string =>
  editor.updates
    .flatMap(({ update }) =>
      update.sessionUpdate === kind && 'content' in update && !Array.isArray(update.content)
        ? update.content?.type === 'text'
          ? [update.content.text]
          : []
        : [],
    )
    .join('');

const permission = (editor: Editor, at = 0) => until('a permission request', () => editor.permissions[at]);

const waiting = async () =>
  (await demo.kennel.call('approvals.list', {})).approvals.filter(({ state }) => state === 'waiting');

describe('An editor by the Agent Client Protocol', () => {
  it('starts a conversation that the window shows, streams the answer and reports what it ignores', async () => {
    const editor = openEditor();
    const { agent } = editor.connection;
    const capabilities = await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: {},
    });
    expect(capabilities).toMatchObject({
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
    });
    const { sessionId } = await agent.request(methods.agent.session.new, {
      cwd: '/somewhere/else',
      mcpServers: [{ name: 'files', command: '/bin/true', args: [], env: [] }],
    });
    const { stopReason } = await prompt(editor, sessionId, 'echo mind the gap');
    expect(stopReason).toBe('end_turn');
    expect(textOf(editor, 'agent_message_chunk')).toBe('mind the gap');
    expect(textOf(editor, 'agent_thought_chunk')).toContain('may not use /somewhere/else');
    expect(textOf(editor, 'agent_thought_chunk')).toContain('MCP servers of the editor: files');
    expect(editor.updates.map(({ update }) => update.sessionUpdate)).toContain('available_commands_update');
    const { rooms } = await demo.kennel.call('chat.rooms', {});
    expect(rooms[sessionId]?.conversation?.title).toContain('echo mind the gap');
    const { messages } = await demo.kennel.call('chat.history', { room: sessionId });
    expect(messages.map(({ own }) => own)).toEqual([true, false]);
  });

  it('asks in the editor before a file is written, and shows the change', async () => {
    const editor = openEditor();
    const session = await begin(editor);
    const done = prompt(editor, session, 'write hello.md');
    const { request, answer } = await permission(editor);
    expect(request.toolCall).toMatchObject({
      title: 'Guide wants to write hello.md',
      kind: 'edit',
      rawInput: { path: 'hello.md' },
      locations: [{ path: path.join(workspace(), 'hello.md') }],
    });
    const [diff] = request.toolCall.content ?? [];
    expect(diff).toMatchObject({ type: 'diff', oldText: null, path: path.join(workspace(), 'hello.md') });
    expect(request.options.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['allow_once', 'allow_always', 'reject_once']),
    );
    const told = editor.updates.flatMap(({ update }) =>
      update.sessionUpdate === 'tool_call' ? [update.toolCallId] : [],
    );
    expect(told).toContain(request.toolCall.toolCallId);
    expect(existsSync(path.join(workspace(), 'hello.md'))).toBe(false);
    answer({ outcome: { outcome: 'selected', optionId: 'once' } });
    expect((await done).stopReason).toBe('end_turn');
    expect(readFileSync(path.join(workspace(), 'hello.md'), 'utf8')).toContain('# hello');
    const { approvals } = await demo.kennel.call('approvals.list', { state: 'decided' });
    expect(approvals[0]?.decision).toMatchObject({ surface: 'editor', scope: 'once' });
    const ended = editor.updates.flatMap(({ update }) =>
      update.sessionUpdate === 'tool_call_update' && update.toolCallId === request.toolCall.toolCallId
        ? [update]
        : [],
    );
    expect(ended.map(({ status }) => status)).toContain('completed');
    expect(ended.at(-1)?.content?.[0]).toMatchObject({
      type: 'diff',
      newText: expect.stringContaining('hello'),
    });
  });

  it('denies in the editor; an option that was not offered decides nothing', async () => {
    const editor = openEditor();
    const session = await begin(editor);
    const done = prompt(editor, session, 'write never.md');
    const { answer } = await permission(editor);
    answer({ outcome: { outcome: 'selected', optionId: 'everything' } });
    await until('the log', () => editor.stderr().includes('not offered'));
    const [asked] = await waiting();
    const { id, digest } = asked ?? { id: '', digest: '' };
    await demo.kennel.call('approvals.decide', {
      id,
      digest,
      answer: { type: 'deny', reason: '' },
      surface: 'terminal',
    });
    expect((await done).stopReason).toBe('end_turn');
    const again = prompt(editor, session, 'write never.md');
    (await permission(editor, 1)).answer({ outcome: { outcome: 'selected', optionId: 'deny' } });
    expect((await again).stopReason).toBe('end_turn');
    expect(existsSync(path.join(workspace(), 'never.md'))).toBe(false);
  });

  it('withdraws the question of the editor if the inbox answers first', async () => {
    const editor = openEditor();
    const session = await begin(editor);
    const done = prompt(editor, session, 'write first.md');
    const { signal } = await permission(editor);
    const [asked] = await waiting();
    const { id, digest } = asked ?? { id: '', digest: '' };
    const answer = { type: 'allow', scope: 'once' } as const;
    await demo.kennel.call('approvals.decide', { id, digest, answer, surface: 'window' });
    await until('the withdrawal', () => signal.aborted);
    expect((await done).stopReason).toBe('end_turn');
    expect(existsSync(path.join(workspace(), 'first.md'))).toBe(true);
  });

  it('ends the turn on cancel, and its question', async () => {
    const editor = openEditor();
    const session = await begin(editor);
    const done = prompt(editor, session, 'write later.md');
    const { signal } = await permission(editor);
    const began = performance.now();
    await editor.connection.agent.notify(methods.agent.session.cancel, { sessionId: session });
    expect((await done).stopReason).toBe('cancelled');
    expect(performance.now() - began).toBeLessThan(promised(5_000));
    expect(signal.aborted).toBe(true);
    await until('no open question', async () => (await waiting()).length === 0);
    expect(existsSync(path.join(workspace(), 'later.md'))).toBe(false);
    const slow = prompt(editor, session, 'slow');
    await until('the beginning of the text', () => textOf(editor, 'agent_message_chunk') !== '');
    await editor.connection.agent.notify(methods.agent.session.cancel, { sessionId: session });
    expect((await slow).stopReason).toBe('cancelled');
    expect((await prompt(editor, session, 'echo mind the gap')).stopReason).toBe('end_turn');
  });

  it('lists, loads and resumes conversations in another process, also after a restart of the host', async () => {
    const first = openEditor();
    const session = await begin(first);
    await prompt(first, session, 'echo mind the gap');
    first.child.stdin.end();
    await once(first.child, 'exit');
    const second = openEditor();
    const { agent } = second.connection;
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessions } = await agent.request(methods.agent.session.list, { cwd: '/project' });
    expect(sessions.find(({ sessionId }) => sessionId === session)).toMatchObject({ cwd: '/project' });
    await agent.request(methods.agent.session.load, {
      sessionId: session,
      cwd: workspace(),
      mcpServers: [],
    });
    expect(textOf(second, 'user_message_chunk')).toBe('echo mind the gap');
    expect(textOf(second, 'agent_message_chunk')).toBe('mind the gap');
    await demo.kennel.stop();
    await expect(prompt(second, session, 'echo mind the gap')).rejects.toThrow('not running');
    await demo.restart();
    const before = second.updates.length;
    expect((await prompt(second, session, 'echo mind the gap')).stopReason).toBe('end_turn');
    expect(second.updates.length).toBeGreaterThan(before);
  });

  it('refuses unknown conversations, mistyped commands and paused agents in plain words', async () => {
    const editor = openEditor();
    const session = await begin(editor);
    const { agent } = editor.connection;
    const load = { sessionId: 'dm:nobody-1', cwd: workspace(), mcpServers: [] };
    await expect(agent.request(methods.agent.session.load, load)).rejects.toMatchObject({
      code: -32002,
      message: expect.stringContaining('does not exist'),
    });
    await expect(prompt(editor, session, '/taks do it')).rejects.toThrow('/taks');
    await demo.kennel.call('agents.pause', { agent: 'guide' });
    await expect(prompt(editor, session, 'echo mind the gap')).rejects.toThrow('is not running');
  });

  it('removes a conversation in which nothing was written when the editor ends', async () => {
    const editor = openEditor();
    const [one, two] = [await begin(editor), await begin(editor)];
    expect(one).not.toBe(two);
    editor.child.stdin.end();
    await once(editor.child, 'exit');
    const { rooms } = await demo.kennel.call('chat.rooms', {});
    expect([rooms[one], rooms[two]]).toEqual([undefined, undefined]);
  });
});
