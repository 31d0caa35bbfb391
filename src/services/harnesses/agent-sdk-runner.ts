/**
 * A small Node program that runs the Claude Agent SDK of the person, and speaks the protocol of Claude Code on its
 * standard input and output: so one reader serves both. It is passed as text, so that a sandbox needs no folder of
 * Kennel. Every acting call is asked for twice by the SDK, in a hook and as a permission; Kennel is asked once, and
 * without an answer nothing runs.
 */
const script = `
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
const [library, text] = process.argv.slice(1);
const { query } = await import(pathToFileURL(library).href);
const { options, free } = JSON.parse(text);
const write = (message) => process.stdout.write(JSON.stringify(message) + '\\n');

const waiting = new Map();
let count = 0;
const ask = (request, signal) => new Promise((resolve, reject) => {
  const request_id = 'sdk_' + (count += 1);
  waiting.set(request_id, { resolve, reject });
  signal?.addEventListener('abort', () => {
    if (!waiting.delete(request_id)) return;
    write({ type: 'control_cancel_request', request_id });
    reject(new Error('It was cancelled.'));
  }, { once: true });
  write({ type: 'control_request', request_id, request });
});

const mayRun = (tool_name, input, tool_use_id, signal) =>
  ask({ subtype: 'can_use_tool', tool_name, input, tool_use_id }, signal)
    .catch((error) => ({ behavior: 'deny', message: String(error.message) }));
const hooked = new Map();
const beforeTool = async ({ tool_name, tool_input, tool_use_id }, _id, { signal }) => {
  if (free.some((name) => tool_name === name || (name.endsWith('*') && tool_name.startsWith(name.slice(0, -1))))) return {};
  const answer = mayRun(tool_name, tool_input, tool_use_id, signal);
  hooked.set(tool_use_id, { input: tool_input, answer });
  const { behavior, message, updatedInput } = await answer;
  const hookSpecificOutput = behavior === 'allow'
    ? { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput }
    : { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: message };
  return { hookSpecificOutput };
};
const canUseTool = async (name, input, { toolUseID, signal }) => {
  const known = hooked.get(toolUseID);
  hooked.delete(toolUseID);
  if (known) {
    const answer = await known.answer;
    const shown = [known.input, answer.updatedInput].map((one) => JSON.stringify(one));
    if (shown.includes(JSON.stringify(input))) return answer;
  }
  return mayRun(name, input, toolUseID, signal);
};

const server = (name) => ({
  type: 'sdk',
  name,
  instance: {
    async connect(transport) {
      transport.onmessage = async (message) => {
        const known = 'id' in message;
        try {
          const { mcp_response } = await ask({ subtype: 'mcp_message', server_name: name, message });
          if (known) await transport.send({ ...mcp_response, id: message.id });
        } catch (error) {
          if (known) await transport.send({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: String(error.message) } });
        }
      };
      await transport.start?.();
    },
    close: async () => {},
  },
});

const messages = [];
let wake = () => {};
let isClosed = false;
async function* prompt() {
  for (;;) {
    const next = messages.shift();
    if (next) yield next;
    else if (isClosed) return;
    else await new Promise((resolve) => { wake = resolve; });
  }
}

let running = null;
const begin = ({ appendSystemPrompt, sdkMcpServers = [] }) => {
  running = query({
    prompt: prompt(),
    options: {
      ...options,
      systemPrompt: { type: 'preset', preset: 'claude_code', append: appendSystemPrompt },
      mcpServers: Object.fromEntries(sdkMcpServers.map((name) => [name, server(name)])),
      canUseTool,
      hooks: {
        PreToolUse: [{ hooks: [beforeTool], timeout: 604800 }],
      },
      stderr: (data) => process.stderr.write(data),
    },
  });
  (async () => {
    for await (const message of running) {
      if (message.type === 'result') hooked.clear();
      write(message);
    }
    process.exit(0);
  })().catch((error) => {
    console.error(String(error));
    process.exit(1);
  });
};

const take = async (message) => {
  if (message.type === 'user') {
    messages.push({ session_id: '', ...message });
    wake();
  } else if (message.type === 'control_response') {
    const { request_id, subtype, response, error } = message.response;
    const one = waiting.get(request_id);
    waiting.delete(request_id);
    if (subtype === 'success') one?.resolve(response);
    else one?.reject(new Error(error));
  } else if (message.type === 'control_request') {
    const { request_id, request } = message;
    const done = (body) => write({ type: 'control_response', response: { request_id, ...body } });
    try {
      if (request.subtype === 'initialize') begin(request);
      else if (request.subtype === 'interrupt') await running?.interrupt();
      else throw new Error(request.subtype + ' is unknown.');
      done({ subtype: 'success', response: {} });
    } catch (error) {
      done({ subtype: 'error', error: String(error.message) });
    }
  }
};
createInterface({ input: process.stdin })
  .on('line', (line) => {
    let message;
    try { message = JSON.parse(line); } catch { return; }
    void take(message);
  })
  .on('close', () => { isClosed = true; wake(); });
`;

/** Options of the SDK that are plain values. */
export type AgentSdkOptions = Readonly<Record<string, unknown>>;

export interface AgentSdkRun {
  /** Path of the main file of the SDK. */
  readonly library: string;
  readonly options: AgentSdkOptions;
  /** Tools that need no answer, because they have no effect or ask by themselves; a `*` at the end fits any name. */
  readonly free: readonly string[];
}

/** Arguments for Node.js. */
export const agentSdkArgs = ({ library, options, free }: AgentSdkRun): readonly string[] => [
  '--input-type=module',
  '-e',
  script,
  '--',
  library,
  JSON.stringify({ options, free }),
];
