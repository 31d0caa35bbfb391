/**
 * A program that speaks the protocol of Claude Code as version 2.1.330 does, with a script instead of a model.
 * The text of a message is the script, one command per line:
 *
 * `say TEXT` · `think TEXT` · `call TOOL JSON` (asks first; runs `Write`) · `act TOOL JSON` (does not ask) · `host TOOL JSON` ·
 * `noise` · `wait MS` · `hang` · `exit CODE` · `refuse STATUS` · `limit SECONDS` · `once COMMAND` (the first time in a session). Anything else is ignored.
 */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const has = (name: string): boolean => process.argv.includes(name);

/** `--name value` or `--name=value`. */
function option(name: string): string | null {
  const joined = process.argv.find((one) => one.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  return has(name) ? (process.argv[process.argv.indexOf(name) + 1] ?? null) : null;
}

const folder = process.env.CLAUDE_CONFIG_DIR ?? '.';
const sessionId = (has('--resume') ? option('--resume') : option('--session-id')) ?? 'none';
const file = join(folder, `${sessionId}.txt`);
if (has('--version')) {
  console.log('2.1.330 (Claude Code)');
  process.exit(0);
}
if (has('--resume') && !existsSync(file)) {
  console.error(`No conversation found with session ID: ${sessionId}`);
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
appendFileSync(file, `${process.argv.slice(2).join(' ')}\n`);

const write = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const own = { session_id: sessionId, parent_tool_use_id: null };
let serial = 0;
const next = (kind: string): string => {
  serial += 1;
  return `${kind}_${process.pid}_${serial}`;
};

type Answer = Readonly<Record<string, unknown>>;
const waiting = new Map<string, (answer: Answer) => void>();
const queue: string[] = [];
let wake = (): void => undefined;
let interrupt = new AbortController();

const request = (body: object): Promise<Answer> =>
  new Promise((resolve) => {
    const id = next('req');
    waiting.set(id, resolve);
    write({ type: 'control_request', request_id: id, request: body });
  });

const assistant = (content: object, model = 'fake-model'): void =>
  write({ ...own, type: 'assistant', message: { id: next('msg'), model, content: [content] } });

function speak(text: string): void {
  const event = (body: object): void => write({ ...own, type: 'stream_event', event: body });
  event({ type: 'message_start', message: { model: 'fake-model', usage: { input_tokens: 10 } } });
  event({ type: 'content_block_delta', delta: { type: 'text_delta', text } });
  assistant({ type: 'text', text });
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } });
}

const result = (callId: string, content: unknown, isError: boolean): void =>
  write({
    ...own,
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: callId, content, is_error: isError }] },
  });

async function call(tool: string, input: Record<string, unknown>, asks: boolean): Promise<void> {
  const callId = next('toolu');
  assistant({ type: 'tool_use', id: callId, name: tool, input });
  const asked = { subtype: 'can_use_tool', tool_name: tool, input, tool_use_id: callId };
  const answer = asks ? await request(asked) : { behavior: 'allow', updatedInput: input };
  if (answer.behavior !== 'allow') {
    result(callId, String(answer.message ?? 'refused'), true);
    return;
  }
  const { file_path: path, content } = answer.updatedInput as Record<string, unknown>;
  if (tool === 'Write') writeFileSync(String(path), String(content));
  result(callId, `${tool} done`, false);
}

async function host(tool: string, args: object): Promise<void> {
  const callId = next('toolu');
  assistant({ type: 'tool_use', id: callId, name: `mcp__puffo__${tool}`, input: args });
  const params = { name: tool, arguments: args, _meta: { 'claudecode/toolUseId': callId } };
  const message = { jsonrpc: '2.0', id: serial, method: 'tools/call', params };
  const answer = await request({ subtype: 'mcp_message', server_name: 'puffo', message });
  const said = answer.mcp_response as { result?: { content: unknown; isError: boolean }; error?: object };
  result(callId, said.result?.content ?? JSON.stringify(said.error), said.result?.isError ?? true);
}

const taken = (text: string): void =>
  write({ ...own, type: 'user', isReplay: true, message: { content: [{ type: 'text', text }] } });

/** `false` ends the turn with an error. */
async function step(line: string): Promise<boolean> {
  const [, word = '', rest = ''] = /^(?:- message: )?(\w+) ?(.*)$/.exec(line) ?? [];
  const [, tool = '', json = '{}'] = /^(\S+) (.*)$/.exec(rest) ?? [];
  switch (word) {
    case 'say':
      speak(rest);
      return true;
    case 'think':
      write({
        ...own,
        type: 'stream_event',
        event: { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: rest } },
      });
      return true;
    case 'call':
    case 'act':
      await call(tool, JSON.parse(json), word === 'call');
      return true;
    case 'host':
      await host(tool, JSON.parse(json));
      return true;
    case 'noise':
      process.stdout.write('npm warn something\n{"type":"assistant"\n{"type":"news","x":1}\n');
      return true;
    case 'limit': {
      const rate_limit_info = { status: 'rejected', resetsAt: Number(rest), rateLimitType: 'five_hour' };
      write({ ...own, type: 'rate_limit_event', rate_limit_info });
      assistant({ type: 'text', text: "You've hit your session limit" }, '<synthetic>');
      return false;
    }
    case 'wait':
      await pause(Number(rest));
      return true;
    case 'hang':
      speak('partial');
      await pause(600_000, null, { signal: interrupt.signal }).catch(() => undefined);
      return false;
    case 'exit':
      process.exit(Number(rest));
      break;
    case 'once': {
      const marker = join(folder, `${sessionId}.once`);
      if (existsSync(marker)) return true;
      writeFileSync(marker, '');
      return step(rest);
    }
    case 'refuse': {
      const status = Number(rest);
      write({
        ...own,
        type: 'system',
        subtype: 'api_retry',
        attempt: 1,
        retry_delay_ms: 1,
        error_status: status,
      });
      assistant({ type: 'text', text: `API Error: ${rest}` }, '<synthetic>');
      return false;
    }
    default:
  }
  return true;
}

async function turn(text: string): Promise<void> {
  interrupt = new AbortController();
  const permissionMode = option('--permission-mode');
  write({ ...own, type: 'system', subtype: 'init', permissionMode, model: 'fake-model', tools: [] });
  taken(text);
  appendFileSync(file, `${text}\n`);
  let isError = false;
  const lines = text.split('\n');
  for (let line = lines.shift(); line !== undefined && !isError; line = lines.shift()) {
    isError = !(await step(line));
    // Messages that arrived meanwhile join the turn between two steps.
    for (let more = queue.shift(); more !== undefined; more = queue.shift()) {
      taken(more);
      appendFileSync(file, `${more}\n`);
      lines.push(...more.split('\n'));
    }
  }
  const usage = { input_tokens: 10, output_tokens: 5 };
  write({
    ...own,
    type: 'result',
    subtype: 'success',
    is_error: isError,
    result: '',
    total_cost_usd: 0.01,
    usage,
  });
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'user') {
    queue.push(message.message.content.map(({ text = '' }) => text).join('\n'));
    wake();
  } else if (message.type === 'control_response') {
    const { request_id: id, response = {} } = message.response;
    waiting.get(id)?.(response);
  } else {
    if (message.request.subtype === 'interrupt') interrupt.abort();
    if (message.request.subtype === 'initialize')
      appendFileSync(file, `system ${message.request.appendSystemPrompt}\n`);
    const response = { subtype: 'success', request_id: message.request_id, response: {} };
    write({ type: 'control_response', response });
  }
});
lines.on('close', () => process.exit(0));

for (;;) {
  const text = queue.shift();
  if (text === undefined)
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  else await turn(text);
}
