/** Adds MCP servers and providers by model name to a client of the package `openai`. */
import { isRecord } from '../../contract/is-record.ts';
import { keyVariables, readModelName } from '../../core/models/model-name.ts';
import { providerInfo } from '../../core/models/providers.ts';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { logFolder, openConversationLog } from '../conversation-log.ts';
import { createLocalConnector } from '../local-connector.ts';
import { chatFormat } from './chat-format.ts';
import type { LocalTool } from './local-tool.ts';
import { responseFormat } from './response-format.ts';
import { answerInRounds, type RoundsDeps, streamInRounds, type WireFormat } from './rounds.ts';
import { type ApproveCall, type McpServer, runCalls, ToolPool } from './tool-pool.ts';

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

export interface ProviderAddress {
  readonly baseURL?: string;
  readonly apiKey?: string;
}

export interface PatchOptions {
  /** Asked before each call of a tool; without it every call runs. */
  readonly approve?: ApproveCall;
  /** Addresses and keys by provider; keys otherwise come from the environment. */
  readonly providers?: Readonly<Record<string, ProviderAddress>>;
  /** Folder for conversations as JSON lines; `AGENTD_LOG_DIR` if absent, else none is written. */
  readonly logDir?: string;
  /** The last answer still calls tools, but no further request is made. */
  readonly onLimit?: () => void;
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

/** `create` with the fields of `McpCreateOptions`. */
type CreateWithMcp<Methods> = Methods extends { create: infer F }
  ? {
      create: F &
        (<S extends boolean = false>(
          body: BodyOf<F> & McpCreateOptions & { readonly stream?: S },
          options?: unknown,
        ) => Promise<Answer<F, S>>);
    }
  : object;

export type WithMcp<C extends OpenAIClient> = C & {
  readonly chat: { readonly completions: CreateWithMcp<C['chat']['completions']> };
  readonly responses: CreateWithMcp<C['responses']>;
  /** Ends the MCP servers of this client. */
  cleanupMcp(): Promise<void>;
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
  const {
    mcpServers = [],
    localTools = [],
    mcpStrict = false,
    maxIterations = 20,
    ...plain
  } = asked as Json & McpCreateOptions;
  const { create, body } = routed(patch, format === chatFormat ? 'chat' : 'responses', plain);
  if (mcpServers.length + localTools.length === 0) return create(body, options);
  const { settings, time } = patch;
  const tools = await patch.pool.tools(mcpServers, localTools);
  const folder = logFolder(process.env, settings.logDir ?? null);
  const log = folder === null ? null : openConversationLog(folder, time);
  log?.({ type: 'session_start', model: String(body.model) });
  const signal = signalOf(options);
  const deps: RoundsDeps = {
    create: (each) => create(each, options),
    tools,
    run: (calls) => runCalls(calls, { tools, approve: settings.approve, signal, clock: time.clock, log }),
    settings: { maxIterations, strict: mcpStrict },
    log,
    onLimit: settings.onLimit ?? (() => undefined),
  };
  if (body.stream === true) return streamInRounds(body, format, deps);
  const answer = await answerInRounds(body, format, deps);
  log?.({ type: 'session_end', reason: 'done' });
  return answer;
}

/** Returns the same client. Embeddings and other methods stay as they are, but for providers by model name. */
export function patchClient<C extends OpenAIClient>(client: C, settings: PatchOptions = {}): WithMcp<C> {
  const time = { clock: createSystemClock(), random: createSystemRandom() };
  const local = createLocalConnector({ folder: process.cwd(), env: process.env, version: '1', ...time });
  const originals = {
    chat: methodOf(client.chat.completions, 'chat.completions'),
    responses: methodOf(client.responses, 'responses'),
    embeddings: methodOf(client.embeddings, 'embeddings'),
  };
  const patch: Patch = { client, settings, pool: new ToolPool(local), originals, time };
  const put = (owner: object, create: Create): unknown => Object.assign(owner, { create });
  put(client.chat.completions, (body, options) => inRounds(patch, chatFormat, body, options));
  put(client.responses, (body, options) => inRounds(patch, responseFormat, body, options));
  put(client.embeddings, (asked, options) => {
    const { create, body } = routed(patch, 'embeddings', asked);
    return create(body, options);
  });
  return Object.assign(client, { cleanupMcp: () => patch.pool.close() }) as unknown as WithMcp<C>;
}
