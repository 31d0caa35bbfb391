import { expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createDataApp } from './data-app.ts';

function app() {
  const store = createMemoryAccountStore('helper-9a7c');
  const decision = { react: false, reason: 'own', priority: 5 } as const;
  const messages = Array.from({ length: 300 }, (_, n) =>
    sampleMessage({ envelopeId: `msg_${n}`, sentAt: 1_000 + n }),
  );
  store.accept(messages.map((message) => ({ message, decision })));
  const tokens = new Map([
    ['helper', 'token-of-helper'],
    ['other', 'token-of-other'],
  ]);
  const answer = createDataApp({ tokens: () => tokens, storeOf: (id) => (id === 'helper' ? store : null) });
  return (path: string, token = 'token-of-helper', method = 'GET') =>
    answer({ method, target: `/v1/data/${path}`, authorization: `Bearer ${token}` });
}

it('The data service requires a token, and shows an agent only its own data (T4)', () => {
  const ask = app();
  for (const token of ['', 'x', 'token-of-helpe', 'token-of-helper2']) {
    expect(ask('helper/messages/msg_1', token)).toEqual({ status: 401, json: { error: 'token required' } });
  }
  expect(ask('helper/messages/msg_1', 'token-of-other').status).toBe(404);
  expect(ask('helper/messages/msg_1').status).toBe(200);
  expect(ask('helper/messages/msg_1', 'token-of-helper', 'POST').status).toBe(405);
});

it('The data service returns at most 200 messages, oldest first', () => {
  const { json } = app()('helper/messages/recent?channel=ch_1&limit=5000');
  const { messages } = json as { messages: { envelope_id: string }[] };
  expect(messages.map((one) => one.envelope_id)).toEqual(
    Array.from({ length: 200 }, (_, n) => `msg_${n + 100}`),
  );
});

it('The data service names the query parameter that is not an integer', () => {
  const ask = app();
  expect(ask('helper/channels/roots?channel=ch_1&before=soon')).toEqual({
    status: 400,
    json: { error: 'before must be an integer' },
  });
  expect(ask('helper/threads/msg_1?limit=1.5').json).toEqual({ error: 'limit must be an integer' });
  expect(ask('helper/channels/roots?channel=ch_1&before=0&after=0&limit=3').status).toBe(200);
});

it('The data service answers unknown paths with 404', () => {
  const ask = app();
  for (const path of ['helper', 'helper/messages', 'helper/messages/a/b', 'helper/%zz', '%00/messages/x']) {
    expect(ask(path).status, path).toBe(404);
  }
});
