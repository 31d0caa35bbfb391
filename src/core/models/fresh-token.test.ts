import { describe, expect, it } from 'vitest';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { withFreshToken } from './fresh-token.ts';
import { type AssistantMessage, noUsage } from './messages.ts';
import type { ModelEvent, ModelPort, ModelTarget } from './model-ports.ts';

const message: AssistantMessage = {
  role: 'assistant',
  api: 'a',
  provider: 'p',
  model: 'm',
  content: [],
  timestamp: 1,
  usage: noUsage,
  stopReason: 'stop',
};
const done: ModelEvent = { type: 'done', reason: 'stop', message };
const failed = (status: number): ModelEvent => ({
  type: 'error',
  reason: 'error',
  message,
  failure: { error: textError('unauthenticated', 'refused'), retryable: false, status },
});

async function ask(renewed: Result<string>, { auth = 'oauth' as ModelTarget['auth'], status = 401 } = {}) {
  const keys: (string | null)[] = [];
  const refused: string[] = [];
  const model: ModelPort = {
    api: 'a',
    async *stream({ apiKey }) {
      keys.push(apiKey);
      yield apiKey === 'good' ? done : failed(status);
    },
  };
  const fresh = withFreshToken(model, async (_provider, token) => {
    refused.push(token);
    return renewed;
  });
  const target = { provider: 'p', model: 'm', baseUrl: '', apiKey: 'withdrawn', auth };
  const context = { system: '', messages: [], tools: [] };
  const events: ModelEvent[] = [];
  const options = { maxOutputTokens: 1, thinkingLevel: 'off' } as const;
  for await (const event of fresh.stream(target, context, options, new AbortController().signal)) {
    events.push(event);
  }
  return { events, keys, refused };
}

describe('Login token refused before it expires', () => {
  it('is renewed, and the request is retried once', async () => {
    expect(await ask(ok('good'))).toEqual({
      events: [done],
      keys: ['withdrawn', 'good'],
      refused: ['withdrawn'],
    });
  });
  it('is not renewed again if the new token is refused too', async () => {
    expect(await ask(ok('bad'))).toMatchObject({ events: [{ type: 'error' }], keys: ['withdrawn', 'bad'] });
  });
  it('reports the renewal error if it cannot be renewed', async () => {
    const over = textError('unauthenticated', 'The login is over.');
    expect(await ask(err(over))).toMatchObject({
      events: [{ failure: { error: over } }],
      keys: ['withdrawn'],
    });
  });
  it.each([
    ['an API key', { auth: 'api_key' as const }],
    ['something that is forbidden', { status: 403 }],
  ])('is not renewed for %s', async (_name, how) => {
    expect(await ask(ok('good'), how)).toMatchObject({ keys: ['withdrawn'], refused: [] });
  });
});
