/** Adds MCP servers, code that calls tools, and providers by model name to a client of the package `openai`. */
import { isRecord } from '../../contract/is-record.ts';
import { keyVariables, readModelName } from '../../core/models/model-name.ts';
import { providerInfo } from '../../core/models/providers.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { logFolder, openConversationLog } from '../conversation-log.ts';
import { createLocalConnector } from '../local-connector.ts';
import { chatFormat } from './chat-format.ts';
import { type CodeParts, createCodeParts, inRoundsWithCode } from './code-call.ts';
import type { LocalTool } from './local-tool.ts';
import type { PatchOptions, PtcOptions } from './patch-options.ts';
import { responseFormat } from './response-format.ts';
import { answerInRounds, ended, logged, type RoundsDeps, streamInRounds, type WireFormat } from './rounds.ts';
import { type McpServer, type RunCallsDeps, runCalls, ToolPool } from './tool-pool.ts';

type Json = Readonly<Record<string, unknown>>;
type Create = (body: Json, options?: unknown) => Promise<unknown>;

/** Further fields of `create`. They do not reach the model server. */
export interface McpCreateOptions {
  readonly mcpServers?: readonly McpServer[];
  readonly localTools?: readonly LocalTool[];
  /** The provider enforces the schemas of the tools; they must be strict themselves. */
  readonly mcpStrict?: boolean;
  /** Model requests of this call; 20 if absent. */
  readonly maxIterations?: number;
}

/** Further fields of `create` of a client with code. */
export interface PtcCreateOptions extends McpCreateOptions {
  /** `false`: the call runs no code, and calls its tools directly. */
  readonly ptcEnabled?: boolean;
  /** The model gets native tools `code`, `bash` and `python` instead of the form of code in its text. */
  readonly codeTools?: boolean;
}

/** The part of a client that is patched. */
export interface OpenAIClient {
  readonly baseURL: string;
  readonly chat: { readonly completions: object };
  readonly responses: object;
  readonly embeddings: object;
  withOptions(options: { baseURL?: string; apiKey?: string }): OpenAIClient;
}

type BodyOf<F> = F extends (body: infer Body, ...rest: never) => unknown ? Body : never;
type MadeBy<F> = F extends (...all: never) => infer Made ? Awaited<Made> : never;
type Answer<F, S> = S extends true
  ? Extract<MadeBy<F>, AsyncIterable<unknown>>
  : Exclude<MadeBy<F>, AsyncIterable<unknown>>;

/** `create` with the fields of `Fields`. */
type CreateWith<Methods, Fields> = Methods extends { create: infer F }
  ? {
      create: F &
        (<S extends boolean = false>(
          body: BodyOf<F> & Fields & { readonly stream?: S },
          options?: unknown,
        ) => Promise<Answer<F, S>>);
    }
  : object;

type Patched<C extends OpenAIClient, Fields> = C & {
  readonly chat: { readonly completions: CreateWith<C['chat']['completions'], Fields> };
  readonly responses: CreateWith<C['responses'], Fields>;
};

export type WithMcp<C extends OpenAIClient> = Patched<C, McpCreateOptions> & {
  /** Ends the MCP servers of this client. */
  cleanupMcp(): Promise<void>;
};

export type WithPtc<C extends OpenAIClient> = Patched<C, PtcCreateOptions> & {
  /** Ends the MCP servers, the interpreter and the executor of this client. */
  cleanupPtc(): Promise<void>;
};

const addresses: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1/',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai/',
};

const isOwnAddress = (client: OpenAIClient): boolean =>
  URL.parse(client.baseURL)?.hostname === 'api.openai.com';

interface Routed {
  readonly client: OpenAIClient;
  readonly model: string;
}

/** A client with an address of its own keeps the names of its models, unless `providers` has the provider. */
function route(client: OpenAIClient, model: string, providers: PatchOptions['providers']): Routed {
  const named = readModelName(model);
  const { [named.provider]: given } = providers ?? {};
  if (!given && !isOwnAddress(client)) return { client, model };
  if (named.provider === 'openai' && !given) return { client, model: named.model };
  const info = providerInfo(named.provider);
  const [key = ''] = (keyVariables[named.provider] ?? []).flatMap((name) => process.env[name] || []);
  const baseURL = given?.baseURL ?? addresses[named.provider] ?? info?.baseUrl ?? client.baseURL;
  const apiKey = given?.apiKey ?? (key || 'none');
  return {
    client: client.withOptions({ baseURL, apiKey }),
    model: named.model || (info?.defaultModel ?? ''),
  };
}

function methodOf(owner: object, what: string): Create {
  const create: unknown = Reflect.get(owner, 'create');
  if (typeof create !== 'function') throw new Error(`The client has no ${what}.create.`);
  return (body, options) => Reflect.apply(create, owner, [body, options]);
}

type Area = 'chat' | 'responses' | 'embeddings';
const ownerOf = (client: OpenAIClient, area: Area): object =>
  area === 'chat' ? client.chat.completions : client[area];

const signalOf = (options: unknown): AbortSignal =>
  isRecord(options) && options.signal instanceof AbortSignal ? options.signal : new AbortController().signal;

interface Patch {
  readonly client: OpenAIClient;
  readonly settings: PatchOptions;
  readonly pool: ToolPool;
  readonly originals: Readonly<Record<Area, Create>>;
  readonly code: CodeParts | null;
  readonly time: {
    readonly clock: ReturnType<typeof createSystemClock>;
    readonly random: ReturnType<typeof createSystemRandom>;
  };
}

function routed(patch: Patch, area: Area, body: Json): { readonly create: Create; readonly body: Json } {
  if (typeof body.model !== 'string') return { create: patch.originals[area], body };
  const { client, model } = route(patch.client, body.model, patch.settings.providers);
  const create = client === patch.client ? patch.originals[area] : methodOf(ownerOf(client, area), area);
  return { create, body: { ...body, model } };
}

async function inRounds(patch: Patch, format: WireFormat, asked: Json, options: unknown): Promise<unknown> {
  const { code, settings, time } = patch;
  const {
    mcpServers = [],
    localTools = [],
    mcpStrict = false,
    maxIterations = 20,
    ptcEnabled = code !== null,
    codeTools = code?.options.codeTools ?? false,
    ...plain
  } = asked as Json & PtcCreateOptions;
  const { create, body } = routed(patch, format === chatFormat ? 'chat' : 'responses', plain);
  const parts = ptcEnabled ? code : null;
  if (mcpServers.length + localTools.length === 0 && !parts) return create(body, options);
  const tools = await patch.pool.tools(mcpServers, localTools);
  const folder = logFolder(process.env, settings.logDir ?? null);
  const log = folder === null ? null : openConversationLog(folder, time);
  log?.({ type: 'session_start', model: String(body.model) });
  const calls: RunCallsDeps = {
    tools,
    approve: settings.approve,
    signal: signalOf(options),
    clock: time.clock,
    log,
  };
  const deps: RoundsDeps = {
    create: (each) => create(each, options),
    tools,
    run: (each) => runCalls(each, calls),
    settings: { maxIterations, strict: mcpStrict },
    log,
    onLimit: settings.onLimit ?? (() => undefined),
  };
  if (parts) return inRoundsWithCode({ body, format, deps, calls }, parts, codeTools);
  if (body.stream === true) return logged(streamInRounds(body, format, deps), log);
  return ended(answerInRounds(body, format, deps), log);
}

/** Returns the same client. Embeddings and other methods stay as they are, but for providers by model name. */
function patchCreate(client: OpenAIClient, settings: PatchOptions, code: CodeParts | null): ToolPool {
  const time = { clock: createSystemClock(), random: createSystemRandom() };
  const local = createLocalConnector({ folder: process.cwd(), env: process.env, version: '1', ...time });
  const originals = {
    chat: methodOf(client.chat.completions, 'chat.completions'),
    responses: methodOf(client.responses, 'responses'),
    embeddings: methodOf(client.embeddings, 'embeddings'),
  };
  const pool = new ToolPool(local);
  const patch: Patch = { client, settings, pool, originals, code, time };
  const put = (owner: object, create: Create): unknown => Object.assign(owner, { create });
  put(client.chat.completions, (body, options) => inRounds(patch, chatFormat, body, options));
  put(client.responses, (body, options) => inRounds(patch, responseFormat, body, options));
  put(client.embeddings, (asked, options) => {
    const { create, body } = routed(patch, 'embeddings', asked);
    return create(body, options);
  });
  return pool;
}

export function patchClient<C extends OpenAIClient>(client: C, settings: PatchOptions = {}): WithMcp<C> {
  const pool = patchCreate(client, settings, null);
  return Object.assign(client, { cleanupMcp: () => pool.close() }) as unknown as WithMcp<C>;
}

export function patchClientWithCode<C extends OpenAIClient>(client: C, options: PtcOptions = {}): WithPtc<C> {
  const code = createCodeParts(options);
  const pool = patchCreate(client, options, code);
  const cleanupPtc = async (): Promise<void> => {
    await Promise.all([pool.close(), code.close()]);
  };
  return Object.assign(client, { cleanupPtc }) as unknown as WithPtc<C>;
}
