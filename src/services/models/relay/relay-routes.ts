/** The paths of the model relay, the addresses behind them, and how each format carries key, model and errors. */
import type { AppError } from '../../../contract/errors.ts';
import type { ModelChoice } from '../../../core/models/choose-model.ts';
import type { AdapterName } from '../../../core/models/providers.ts';
import type { ModelFormat } from '../../../core/runtimes/harness-ports.ts';
import { endpoint, versionedEndpoint } from '../http-stream.ts';

export interface ModelRoute {
  readonly format: ModelFormat;
  /** Free of charge: counts the tokens of a request. */
  readonly isCount: boolean;
  /** Only Gemini names the model in the path. */
  readonly method: string;
}

/** The version segment is optional, because programs differ in whether their base URL contains it. */
const fixed: readonly (readonly [RegExp, ModelRoute])[] = [
  [/^(\/v1)?\/messages$/, { format: 'anthropic-messages', isCount: false, method: '' }],
  [/^(\/v1)?\/messages\/count_tokens$/, { format: 'anthropic-messages', isCount: true, method: '' }],
  [/^(\/v1)?\/chat\/completions$/, { format: 'openai-chat', isCount: false, method: '' }],
  [/^(\/v1)?\/responses$/, { format: 'openai-responses', isCount: false, method: '' }],
];
const gemini =
  /^\/v1(?:alpha|beta)?\/models\/[\w.%-]{1,200}:(generateContent|streamGenerateContent|countTokens)$/;

export function findRoute(path: string): ModelRoute | null {
  const method = gemini.exec(path)?.[1];
  if (method !== undefined) return { format: 'gemini', isCount: method === 'countTokens', method };
  return fixed.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** Some programs look for their model before they use it. */
export const isModelList = (path: string): boolean =>
  /^(?:\/v1(?:alpha|beta)?)?\/models(?:\/[\w.%-]{1,200})?$/.test(path);

/** A list of the agent's model alone, or the model itself, as programs of any format read it. */
export function modelList(path: string, model: string): object {
  const own = {
    id: model,
    name: `models/${model}`,
    type: 'model',
    object: 'model',
    display_name: model,
    displayName: model,
    created: 0,
    created_at: '1970-01-01T00:00:00Z',
    owned_by: 'kennel',
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  };
  if (!path.endsWith('/models')) return own;
  return { object: 'list', data: [own], models: [own], has_more: false, first_id: model, last_id: model };
}

const adapters: Readonly<Record<ModelFormat, readonly AdapterName[]>> = {
  'anthropic-messages': ['anthropic'],
  'openai-chat': ['openai-completions', 'openai-responses'],
  'openai-responses': ['openai-responses'],
  gemini: ['google'],
};

/** Whether the server of this choice understands the format. */
export const speaks = ({ adapter }: ModelChoice, format: ModelFormat): boolean =>
  adapters[format].includes(adapter);

/** `query` is kept where servers use it: Anthropic's `beta`, Google's `alt`. `null` without a usable base URL. */
export function upstreamUrl(
  { format, isCount, method }: ModelRoute,
  { baseUrl, model }: ModelChoice,
  query: URLSearchParams,
): URL | null {
  const url = URL.parse(addressOf({ format, isCount, method }, baseUrl, model) ?? '');
  for (const name of ['beta', 'alt']) {
    const value = query.get(name);
    if (value !== null) url?.searchParams.set(name, value);
  }
  return url;
}

function addressOf({ format, isCount, method }: ModelRoute, baseUrl: string, model: string): string | null {
  switch (format) {
    case 'anthropic-messages':
      return versionedEndpoint(baseUrl, '/v1', isCount ? '/messages/count_tokens' : '/messages');
    case 'openai-chat':
      return endpoint(baseUrl, '/v1', '/chat/completions');
    case 'openai-responses':
      return endpoint(baseUrl, '/v1', '/responses');
    case 'gemini': {
      const name = encodeURIComponent(model.replace(/^models\//, ''));
      return versionedEndpoint(baseUrl, '/v1beta', `/models/${name}:${method}`);
    }
  }
}

const keyHeader: Readonly<Record<ModelFormat, string | null>> = {
  'anthropic-messages': 'x-api-key',
  'openai-chat': null,
  'openai-responses': null,
  gemini: 'x-goog-api-key',
};

export function keyHeaders(format: ModelFormat, { apiKey, auth }: ModelChoice): Record<string, string> {
  if (apiKey === null) return {};
  const name = auth === 'oauth' ? null : keyHeader[format];
  return name === null ? { authorization: `Bearer ${apiKey}` } : { [name]: apiKey };
}

/** Headers of programs that a server may need. All others stay here, above all every kind of key. */
const passedOn =
  /^(accept|content-type|user-agent|anthropic-.*|openai-beta|x-stainless-.*|x-app|x-goog-api-client|x-codex-.*|originator|session_id|conversation_id)$/;

export function passedHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && passedOn.test(name)) kept[name] = value;
  return kept;
}

/** Headers of a response that concern one connection, or that only a browser may get. */
const dropped = new Set([
  'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer', 'set-cookie', 'location',
  'proxy-authenticate', 'alt-svc', 'strict-transport-security',
]); // biome-ignore format: a list

export function answerHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !dropped.has(name)) kept[name] = value;
  return kept;
}

const anthropicType: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

/** An error as the programs of this format read it. */
export function errorBody(format: ModelFormat | null, status: number, { message, code }: AppError): string {
  if (format === 'anthropic-messages')
    return JSON.stringify({ type: 'error', error: { type: anthropicType[status] ?? 'api_error', message } });
  if (format === 'gemini')
    return JSON.stringify({ error: { code: status, message, status: code.toUpperCase() } });
  return JSON.stringify({ error: { message, type: code, code } });
}
