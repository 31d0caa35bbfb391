/**
 * A program that speaks the Agent Client Protocol as Gemini CLI, pi and OpenCode were seen to do, with a script
 * instead of a model. The text of a message is the script, one command per line:
 *
 * `say TEXT` · `think TEXT` · `plan JSON` · `call CALL` (asks first) · `bare CALL` (asks without having mentioned the call) · `act CALL` (does
 * not ask) · `tool NAME JSON` (a tool of the host) · `claim NAME` (says that it called one) · `odd` (a request that cannot be read) · `mode ID` · `noise` · `wait MS` · `hang` · `exit CODE` ·
 * `refuse CODE TEXT` · `fail CATEGORY TEXT` (ends as Codex does) · `empty`. CALL is the JSON of a tool call; its
 * differences are written to their files.
 * `--old` speaks another version, `--no-load` resumes nothing, `--mode ID` begins in this mode, `--stuck` never has a
 * session.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const has = (name: string): boolean => process.argv.includes(name);
const folder = join(process.env.HOME ?? '.', 'sessions');
mkdirSync(folder, { recursive: true });

const write = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let sessionId = '';
let mode = has('--mode') ? process.argv[process.argv.indexOf('--mode') + 1] : 'default';
let serial = 0;
let stop = new AbortController();

const update = (sessionUpdate: string, more: object): void =>
  write({ method: 'session/update', params: { sessionId, update: { sessionUpdate, ...more } } });
const chunk = (kind: 'agent' | 'user', text: string): void =>
  update(`${kind}_message_chunk`, { content: { type: 'text', text } });

interface Answer {
  readonly outcome?: { readonly outcome: string; readonly optionId?: string };
}
const waiting = new Map<number, (answer: Answer) => void>();

function request(method: string, params: object): Promise<Answer> {
  serial += 1;
  const id = serial;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    write({ id, method, params: { sessionId, ...params } });
  });
}

const options = [
  { optionId: 'proceed_always', name: 'Always', kind: 'allow_always' },
  { optionId: 'proceed_once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'cancel', name: 'Reject', kind: 'reject_once' },
];

interface Call {
  readonly content?: readonly { readonly type: string; readonly path: string; readonly newText: string }[];
}

async function call(word: string, call: Call): Promise<void> {
  serial += 1;
  const toolCallId = `tool_${process.pid}_${serial}`;
  if (word === 'call')
    update('tool_call', { toolCallId, title: 'tool', status: 'pending', rawInput: {}, ...call });
  let isAllowed = true;
  if (word !== 'act') {
    const asked = word === 'bare' ? call : { rawInput: {} };
    const answer = await request('session/request_permission', {
      toolCall: { toolCallId, status: 'pending', ...asked },
      options,
    });
    isAllowed = answer.outcome?.optionId === 'proceed_once';
  } else update('tool_call', { toolCallId, title: 'tool', status: 'in_progress', ...call });
  if (isAllowed)
    for (const one of call.content ?? []) if (one.type === 'diff') writeFileSync(one.path, one.newText);
  const content = [{ type: 'content', content: { type: 'text', text: isAllowed ? 'tool done' : 'refused' } }];
  update('tool_call_update', { toolCallId, status: isAllowed ? 'completed' : 'failed', content });
}

/** Calls a tool of the host over MCP, as Gemini CLI does. */
async function hostTool(name: string, args: string): Promise<void> {
  const text = await askServer('tools/call', { name, arguments: JSON.parse(args) });
  chunk('agent', text.includes('"isError":true') ? `failed ${text}` : text);
}

async function askServer(method: string, params: object): Promise<string> {
  const [server] = servers;
  if (!server) return 'no server';
  serial += 1;
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...Object.fromEntries(server.headers.map(({ name, value }) => [name, value])),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: serial, method, params }),
    signal: stop.signal,
  });
  return response.text();
}

interface Server {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}
let servers: readonly Server[] = [];

function reported(name: string, status: string): void {
  const toolCallId = `${name}_${serial}`;
  const title = `${name} (puffo MCP Server)`;
  update(status === 'in_progress' ? 'tool_call' : 'tool_call_update', {
    toolCallId,
    title,
    kind: 'other',
    status,
  });
}

class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

async function step(line: string): Promise<void> {
  const [, word = '', rest = ''] = /^(?:- message: )?(\w+) ?(.*)$/.exec(line) ?? [];
  switch (word) {
    case 'say':
      chunk('agent', rest);
      update('usage_update', { used: 10, size: 1000, cost: { amount: 0.5, currency: 'USD' } });
      return;
    case 'think':
      update('agent_thought_chunk', { content: { type: 'text', text: rest } });
      return;
    case 'plan':
      update('plan', { entries: JSON.parse(rest) });
      return;
    case 'call':
    case 'bare':
    case 'act':
      return call(word, JSON.parse(rest));
    case 'tool': {
      const [name = '', ...args] = rest.split(' ');
      const id = serial;
      reported(name, 'in_progress');
      await hostTool(name, args.join(' '));
      serial = id;
      reported(name, 'completed');
      serial = id + 2;
      return;
    }
    case 'tools':
      chunk('agent', await askServer('tools/list', {}));
      return;
    case 'claim':
      reported(rest, 'in_progress');
      reported(rest, 'completed');
      return;
    case 'odd':
      chunk('agent', JSON.stringify(await request('session/request_permission', { options: 'none' })));
      return;
    case 'mode':
      update('current_mode_update', { currentModeId: rest });
      await pause(600_000, null, { signal: stop.signal }).catch(() => undefined);
      return;
    case 'noise':
      process.stdout.write(
        'npm warn something\n{"jsonrpc":"2.0","method":\n[1]\n{"method":"session/update"}\n',
      );
      update('news_of_a_later_version', { x: 1 });
      return;
    case 'wait':
      await pause(Number(rest));
      return;
    case 'hang':
      chunk('agent', 'partial');
      await pause(600_000, null, { signal: stop.signal }).catch(() => undefined);
      return;
    case 'exit':
      process.exit(Number(rest));
      break;
    case 'refuse': {
      const [code = '', ...text] = rest.split(' ');
      throw new Refusal(Number(code), text.join(' '));
    }
    case 'fail': {
      const [category = '', ...text] = rest.split(' ');
      chunk('agent', text.join(' '));
      failure = { category, title: text.join(' ') };
      return;
    }
    default:
  }
}

let failure: object | null = null;

async function prompt(text: string): Promise<object> {
  stop = new AbortController();
  failure = null;
  appendFileSync(join(folder, sessionId), `${text}\n`);
  for (const line of text.split('\n')) {
    await step(line);
    if (stop.signal.aborted) return { stopReason: 'cancelled' };
  }
  if (failure === null) return { stopReason: 'end_turn' };
  return { stopReason: 'end_turn', _meta: { jetbrains: { air: { version: 1, sessionFailure: failure } } } };
}

const modes = () => ({
  modes: {
    currentModeId: mode,
    availableModes: [
      { id: 'default', name: 'D' },
      { id: 'yolo', name: 'Y' },
    ],
  },
});

async function answer(method: string, params: Record<string, unknown>): Promise<object> {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: has('--old') ? 0 : 1,
        agentCapabilities: { loadSession: !has('--no-load'), mcpCapabilities: { http: !has('--no-http') } },
      };
    case 'session/new':
      servers = params.mcpServers as typeof servers;
      if (has('--stuck')) return new Promise(() => undefined);
      sessionId = `session-${process.pid}`;
      return { sessionId, ...modes() };
    case 'session/load':
      servers = params.mcpServers as typeof servers;
      sessionId = String(params.sessionId);
      if (!existsSync(join(folder, sessionId))) throw new Refusal(-32_002, 'Resource not found');
      chunk('user', readFileSync(join(folder, sessionId), 'utf8'));
      chunk('agent', 'said before');
      // Part of the conversation follows late.
      setTimeout(() => chunk('agent', 'said late'), 50);
      return modes();
    case 'session/set_mode':
      mode = String(params.modeId);
      return {};
    case 'session/prompt': {
      const blocks = params.prompt as readonly { readonly text?: string }[];
      return prompt(blocks.map(({ text = '' }) => text).join('\n'));
    }
    default:
      throw new Refusal(-32_601, 'Method not found');
  }
}

if (has('--version')) {
  console.log('0.61.0');
  process.exit(0);
}
const lines = createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'session/cancel') stop.abort();
  else if (method === undefined) waiting.get(id)?.(result ?? {});
  else {
    try {
      write({ id, result: await answer(method, params) });
    } catch (error) {
      const code = error instanceof Refusal ? error.code : -32_603;
      write({ id, error: { code, message: error instanceof Error ? error.message : '' } });
    }
  }
});
lines.on('close', () => process.exit(0));
