/**
 * Asks a model server of the operator for its model's capabilities: Ollama, LM Studio, vLLM and other servers
 * that imitate OpenAI. It promises an answer within 2 s, `null` if the server reports nothing usable, and
 * that no redirect is followed.
 */
import { z } from 'zod';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { ReportedFacts } from '../../core/models/model-facts.ts';
import type { ModelTarget } from '../../core/models/model-ports.ts';
import { readList } from './list-models.ts';

const waitMs = 2_000;

export interface AskedFacts extends ReportedFacts {
  /** False if the server has not loaded the model yet and may still choose a smaller window. */
  readonly settled: boolean;
}

interface Asking {
  readonly fetch: typeof fetch;
  readonly target: ModelTarget;
  readonly signal: AbortSignal;
}

const count = z.number().int().positive().nullish().catch(null);
const abilities = z.array(z.string()).nullish().catch(null);

const showSchema = z.looseObject({
  parameters: z.string().nullish().catch(null),
  model_info: z.record(z.string(), z.unknown()).nullish().catch(null),
  capabilities: abilities,
});
const runningSchema = z.looseObject({
  models: z.array(z.looseObject({ name: z.string(), context_length: count })).catch([]),
});
const lmStudioSchema = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      type: z.string().nullish().catch(null),
      max_context_length: count,
      loaded_context_length: count,
    }),
  ),
});
const servedSchema = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      // In this order: vLLM and SGLang, some gateways, llama.cpp.
      max_model_len: count,
      context_length: count,
      meta: z.looseObject({ n_ctx: count }).nullish().catch(null),
    }),
  ),
});

/** `root`: the server's own API is beside `/v1`, not below it. */
function addressOf(baseUrl: string, path: string, from: 'root' | 'base'): string | null {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = (from === 'root' ? base.replace(/\/v1$/, '') : base) + path;
  return url.href;
}

async function ask<T>(
  { fetch, target, signal }: Asking,
  url: string | null,
  schema: z.ZodType<T>,
  body?: object,
): Promise<T | null> {
  if (url === null) return null;
  try {
    const response = await fetch(url, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: {
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(target.apiKey === null ? {} : { authorization: `Bearer ${target.apiKey}` }),
      },
      redirect: 'manual',
      signal,
    });
    const text = await readList(response);
    return response.status === 200 && text !== null ? jsonAs(schema, text) : null;
  } catch {
    return null;
  }
}

/** Parses lines like `num_ctx    8192`. */
function numCtx(parameters: string | null | undefined): number | null {
  const found = /^\s*num_ctx\s+"?(\d{1,9})"?\s*$/m.exec(parameters ?? '')?.[1];
  return found === undefined || Number(found) === 0 ? null : Number(found);
}

function trainedWindow(info: Readonly<Record<string, unknown>> | null | undefined): number | null {
  const key = Object.keys(info ?? {}).find((name) => name.endsWith('.context_length'));
  const value = key === undefined ? null : info?.[key];
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
}

/**
 * Ollama's list of running models gives the window in use; a model that is not loaded may get a smaller one.
 */
async function askOllama(asking: Asking): Promise<AskedFacts | null> {
  const { baseUrl, model } = asking.target;
  const [shown, running] = await Promise.all([
    ask(asking, addressOf(baseUrl, '/api/show', 'root'), showSchema, { model }),
    ask(asking, addressOf(baseUrl, '/api/ps', 'root'), runningSchema),
  ]);
  const full = (name: string): string => (name.includes(':') ? name : `${name}:latest`);
  const inUse = running?.models.find(({ name }) => full(name) === full(model))?.context_length ?? null;
  if (shown === null && inUse === null) return null;
  const settled = inUse ?? numCtx(shown?.parameters);
  const can = shown?.capabilities ?? null;
  return {
    contextWindow: settled ?? trainedWindow(shown?.model_info),
    vision: can?.includes('vision') ?? null,
    nativeTools: can?.includes('tools') ?? null,
    settled: settled !== null,
  };
}

async function askLmStudio(asking: Asking): Promise<AskedFacts | null> {
  const { baseUrl, model } = asking.target;
  const listed = await ask(asking, addressOf(baseUrl, '/api/v0/models', 'root'), lmStudioSchema);
  const found = listed?.data.find(({ id }) => id === model);
  if (!found) return null;
  return {
    contextWindow: found.loaded_context_length ?? found.max_context_length ?? null,
    vision: found.type === 'vlm' ? true : found.type === 'llm' ? false : null,
    // LM Studio translates calls for models without tool training.
    nativeTools: null,
    settled: typeof found.loaded_context_length === 'number',
  };
}

async function askServed(asking: Asking): Promise<AskedFacts | null> {
  const { baseUrl, model } = asking.target;
  const listed = await ask(asking, addressOf(baseUrl, '/models', 'base'), servedSchema);
  const found = listed?.data.find(({ id }) => id === model);
  const contextWindow = found?.max_model_len ?? found?.context_length ?? found?.meta?.n_ctx ?? null;
  return contextWindow === null ? null : { contextWindow, vision: null, nativeTools: null, settled: true };
}

const questions = new Map([
  ['ollama', askOllama],
  ['lmstudio', askLmStudio],
  ['vllm', askServed],
  ['openai-compatible', askServed],
]);

export async function askModelFacts(
  deps: { readonly fetch: typeof fetch },
  target: ModelTarget,
): Promise<AskedFacts | null> {
  const question = questions.get(target.provider);
  return question ? question({ fetch: deps.fetch, target, signal: AbortSignal.timeout(waitMs) }) : null;
}
