/** A stream proxy on loopback over a model that answers with given bytes, and a client model that uses it. */
import { request as httpRequest } from 'node:http';
import { textError } from '../../src/contract/errors.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import type { ModelChoice } from '../../src/core/models/choose-model.ts';
import { createProviderGate } from '../../src/core/models/provider-gate.ts';
import type { SpendRow } from '../../src/core/models/spend-gate.ts';
import { openProxyServer } from '../../src/host/proxy/proxy-server.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createOpenAiCompletionsModel } from '../../src/services/models/openai-completions.ts';
import { createStreamProxyModel } from '../../src/services/models/stream-proxy.ts';
import { createFreeSpend } from './free-spend.ts';
import { createRecordingLog } from './recording-log.ts';
import { createSeededRandom } from './seeded-random.ts';
import { type Asked, collectEvents } from './streamed-answer.ts';

export const proxyToken = 'kennel_right';

const choice: ModelChoice = {
  provider: 'vllm',
  adapter: 'openai-completions',
  model: 'm',
  baseUrl: 'http://models.test/v1',
  apiKey: 'sk-of-the-host-1234567890',
  auth: 'api_key',
  scripted: false,
  reason: 'daemon',
};

export interface ProxyRigOptions {
  /** Response of the model server. */
  readonly answer: (init: RequestInit | undefined) => Promise<Response>;
  readonly choose?: (wish: { provider: string; model: string }) => Result<ModelChoice>;
  readonly budget?: () => Result<void>;
}

export const overBudget = (): Result<void> =>
  err(textError('rate_limited', 'The budget of proxy:laptop for today is used up.'));

export async function openProxyRig({ answer, choose, budget }: ProxyRigOptions) {
  const clock = createSystemClock();
  const log = createRecordingLog();
  const spent: SpendRow[] = [];
  const wishes: { provider: string; model: string }[] = [];
  const random = createSeededRandom(7);
  const model = createOpenAiCompletionsModel({ clock, fetch: async (_input, init) => answer(init) });
  const opened = await openProxyServer({
    host: '127.0.0.1',
    port: 0,
    clock,
    log,
    random,
    tokens: { whose: (token) => (token === proxyToken ? 'laptop' : null) },
    models: {
      chooseFor: async (wish) => {
        wishes.push(wish);
        return choose ? choose(wish) : ok(choice);
      },
      model: async () => model,
      gate: createProviderGate({ clock, random }),
    },
    spend: createFreeSpend({
      admit: () => budget?.() ?? ok(undefined),
      record: (row) => spent.push(row),
    }),
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const { url } = opened.value;
  const target = { provider: 'kennel-proxy', baseUrl: `${url}/`, apiKey: proxyToken, model: 'default' };
  return {
    url,
    log,
    spent,
    wishes,
    choice,
    close: opened.value.close,
    think: (asked: Asked = {}) =>
      collectEvents(createStreamProxyModel({ clock, log }), {
        ...asked,
        target: { ...target, ...asked.target },
      }),
    post: (change: PostChange = {}) => post(url, change),
  };
}

export interface PostChange {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
}

export const helloBody = JSON.stringify({
  model: { id: 'm' },
  context: { messages: [{ role: 'user', content: 'hi' }] },
  options: {},
});

/** Sends a raw request, so that tests can send any invalid header. */
function post(
  url: string,
  { method = 'POST', path = '/api/stream', headers = {}, body = helloBody }: PostChange,
) {
  const { host, port } = new URL(url);
  const sent = Object.fromEntries(
    Object.entries({
      host,
      authorization: `Bearer ${proxyToken}`,
      'content-type': 'application/json',
      ...headers,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const req = httpRequest({ host: '127.0.0.1', port, method, path, headers: sent }, (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (piece: string) => {
          text += piece;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
        res.on('error', reject);
      });
      req.on('error', reject);
      req.end(body);
    },
  );
}
