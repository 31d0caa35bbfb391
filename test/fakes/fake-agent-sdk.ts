/**
 * A library with the interface of the Claude Agent SDK 0.3.318, as far as Kennel uses it. The text of a message is
 * a JSON list of steps: each is a call with `id`, `tool` and `input`, `{"mcp": MESSAGE}`, or `{"throw": TEXT}`.
 */
type Json = Readonly<Record<string, unknown>>;

interface PermissionResult {
  readonly behavior: 'allow' | 'deny';
  readonly updatedInput?: Json;
  readonly message?: string;
}

interface Transport {
  onmessage?: (message: Json) => Promise<void>;
  start(): Promise<void>;
  send(message: Json): Promise<void>;
}

interface QueryOptions {
  readonly canUseTool: (name: string, input: Json, more: Json) => Promise<PermissionResult>;
  readonly hooks: {
    readonly PreToolUse: readonly {
      readonly hooks: readonly ((input: Json, id: string, more: Json) => Promise<HookOutput>)[];
    }[];
  };
  readonly mcpServers: Readonly<
    Record<string, { readonly instance: { connect(transport: Transport): Promise<void> } }>
  >;
  readonly systemPrompt: Json;
  readonly maxTurns?: number;
}

interface HookOutput {
  readonly hookSpecificOutput?: {
    readonly permissionDecision: 'allow' | 'deny';
    readonly updatedInput?: Json;
  };
}

interface Prompted {
  readonly message: { readonly content: readonly { readonly text: string }[] };
}

interface Step {
  readonly id?: string;
  readonly tool?: string;
  readonly input?: Json;
  readonly mcp?: Json;
  readonly throw?: string;
}

const { signal } = new AbortController();

/** Returns the input with which a call ran, or `null` if it was denied. */
async function callTool({ canUseTool, hooks }: QueryOptions, { id = '', tool = '', input = {} }: Step) {
  const [hook] = hooks.PreToolUse[0]?.hooks ?? [];
  const asked = { tool_name: tool, tool_input: input, tool_use_id: id };
  const { hookSpecificOutput } = (await hook?.(asked, id, { signal })) ?? {};
  if (hookSpecificOutput?.permissionDecision === 'deny') return null;
  // A rule may still ask for a call that a hook allows.
  const rewritten = hookSpecificOutput?.updatedInput ?? input;
  const permission = await canUseTool(tool, rewritten, { toolUseID: id, signal });
  return permission.behavior === 'allow' ? permission.updatedInput : null;
}

async function callServer({ mcpServers }: QueryOptions, message: Json): Promise<Json> {
  const server = Object.values(mcpServers)[0];
  return new Promise((resolve) => {
    const transport: Transport = { start: async () => undefined, send: async (sent) => resolve(sent) };
    void server?.instance.connect(transport).then(() => transport.onmessage?.(message));
  });
}

async function* run(prompt: AsyncIterable<Prompted>, options: QueryOptions): AsyncGenerator<Json> {
  yield { type: 'system', subtype: 'init', append: options.systemPrompt.append, maxTurns: options.maxTurns };
  for await (const { message } of prompt) {
    const steps = JSON.parse(message.content.map(({ text }) => text).join('')) as readonly Step[];
    for (const step of steps) {
      if (step.throw !== undefined) throw new Error(step.throw);
      if (step.mcp) yield { type: 'mcp_result', result: await callServer(options, step.mcp) };
      else yield { type: 'ran', input: await callTool(options, step) };
    }
    yield { type: 'result', subtype: 'success', is_error: false };
  }
}

export function query(given: { readonly prompt: AsyncIterable<Prompted>; readonly options: QueryOptions }) {
  const messages = run(given.prompt, given.options);
  return Object.assign(messages, { interrupt: async () => undefined });
}
