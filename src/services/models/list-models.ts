/**
 * Lists the models of a server. It promises a bounded answer within 15 s, that no redirect is followed with a
 * key, and that errors are readable and never contain the key.
 */
import { z } from 'zod';
import type { ListedModelName } from '../../contract/agent-detail-methods.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { AdapterName } from '../../core/models/providers.ts';
import { readResponse } from '../../platform/read-response.ts';
import { refusalFailure } from './http-failure.ts';
import { serverName, versionedEndpoint } from './http-stream.ts';

const waitMs = 15_000;
const maxBytes = 4 * 1024 * 1024;
const mostModels = 2_000;
const maxName = 200;

export interface ListTarget {
  readonly provider: string;
  readonly adapter: AdapterName;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly auth: 'api_key' | 'oauth';
}

const listSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string().min(1), display_name: z.string().nullish() })),
});
const googleSchema = z.looseObject({
  models: z
    .array(
      z.looseObject({
        name: z.string().min(1),
        displayName: z.string().nullish(),
        supportedGenerationMethods: z.array(z.string()).nullish(),
      }),
    )
    .default([]),
});

interface Question {
  readonly url: string | null;
  readonly headers: Readonly<Record<string, string>>;
  read(text: string): readonly ListedModelName[] | null;
}

const usual = (text: string): readonly ListedModelName[] | null =>
  jsonAs(listSchema, text)?.data.map(({ id, display_name: name }) => ({ id, name: name ?? '' })) ?? null;

/** Only models that can chat. */
const google = (text: string): readonly ListedModelName[] | null =>
  jsonAs(googleSchema, text)
    ?.models.filter(
      ({ supportedGenerationMethods: can }) => !can || can.some((one) => one.endsWith('generateContent')),
    )
    .map(({ name, displayName }) => ({ id: name.replace(/^models\//, ''), name: displayName ?? '' })) ?? null;

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

function keyHeaders({ apiKey, auth }: ListTarget, name: string): Record<string, string> {
  if (apiKey === null) return {};
  return auth === 'oauth' ? bearer(apiKey) : { [name]: apiKey };
}

function questionFor(target: ListTarget): Question | null {
  switch (target.adapter) {
    case 'anthropic': {
      const url = versionedEndpoint(target.baseUrl, '/v1', '/models');
      const headers = { 'anthropic-version': '2023-06-01', ...keyHeaders(target, 'x-api-key') };
      return { url: url && `${url}?limit=1000`, headers, read: usual };
    }
    case 'google': {
      const url = versionedEndpoint(target.baseUrl, '/v1beta', '/models');
      return {
        url: url && `${url}?pageSize=1000`,
        headers: keyHeaders(target, 'x-goog-api-key'),
        read: google,
      };
    }
    case 'openai-responses':
    case 'openai-completions':
      return {
        url: versionedEndpoint(target.baseUrl, '/v1', '/models'),
        headers: target.apiKey === null ? {} : bearer(target.apiKey),
        read: usual,
      };
    case 'stream-proxy':
    case 'scripted':
      return null;
  }
}

/** `null` if it is too long. */
export async function readList(response: Response): Promise<string | null> {
  const { text, isWhole } = await readResponse(response, maxBytes);
  return isWhole ? text : null;
}

/** Deduplicates and sorts by id; drops ids that are too long for the form. */
function tidy(models: readonly ListedModelName[]): readonly ListedModelName[] {
  const byId = new Map(models.filter(({ id }) => id.length <= maxName).map((one) => [one.id, one]));
  return [...byId.values()]
    .map(({ id, name }) => ({ id, name: name === id ? '' : name.slice(0, maxName) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, mostModels);
}

const strange = (server: string) =>
  fail('protocol', 'models.invalidModelList', { server }, { help: 'models.checkAddressOrName' });

/**
 * Errors: `unsupported`, `invalid_input`, `unauthenticated`, `unavailable`, `timeout`, `protocol` and the
 * failures of `refusalFailure`.
 */
export async function listModels(
  deps: { readonly fetch: typeof fetch },
  target: ListTarget,
): Promise<Result<readonly ListedModelName[]>> {
  const question = questionFor(target);
  if (!question) return err(fail('unsupported', 'models.unsupportedModelList'));
  if (question.url === null)
    return err(fail('invalid_input', 'models.invalidServerAddress', {}, { where: 'baseUrl' }));
  const server = serverName(target);
  try {
    const response = await deps.fetch(question.url, {
      headers: { accept: 'application/json', ...question.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMs),
    });
    const text = await readList(response);
    if (response.status !== 200) return err(refused(target, response, text ?? ''));
    const models = text === null ? null : question.read(text);
    return models ? ok(tidy(models)) : err(strange(server));
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    if (late) return err(fail('timeout', 'models.modelListTimedOut', { server }));
    return err(
      fail('unavailable', 'models.serverUnreachable', { server }, { help: 'models.checkServerAddress' }),
    );
  }
}

function refused(target: ListTarget, { status, headers }: Response, body: string) {
  const server = serverName(target);
  if (status === 404)
    return fail('not_found', 'models.noModelList', { server }, { help: 'models.checkAddressOrName' });
  if (status === 401 || status === 403)
    return fail(
      'unauthenticated',
      target.apiKey === null ? 'models.apiKeyNeeded' : 'models.apiKeyRefused',
      { server },
      { help: 'models.checkKey' },
    );
  const { apiKey } = target;
  return refusalFailure({
    status,
    body,
    server,
    apiKey,
    model: '',
    nowMs: 0,
    retryAfter: headers.get('retry-after'),
  }).error;
}
