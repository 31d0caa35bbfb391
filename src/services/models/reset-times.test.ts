import { describe, expect, it } from 'vitest';
import { resetInMs } from './reset-times.ts';

const now = Date.UTC(2026, 10, 24, 12);
const told = (headers: Readonly<Record<string, string>>, body = ''): number | undefined =>
  resetInMs((name) => headers[name] ?? null, body, now);

describe('Time of the next request after a limit', () => {
  it.each([
    [
      'the plan of Anthropic',
      { 'anthropic-ratelimit-unified-reset': `${now / 1000 + 7_200}` },
      '',
      7_200_000,
    ],
    [
      'the plan behind Codex',
      {},
      '{"error":{"type":"usage_limit_reached","resets_in_seconds":3600}}',
      3_600_000,
    ],
    ['the plan behind Codex by date', {}, `{"error":{"resets_at":${now / 1000 + 60}}}`, 60_000],
    [
      'a limit of Anthropic that is used up',
      {
        'anthropic-ratelimit-requests-remaining': '3',
        'anthropic-ratelimit-requests-reset': '2026-11-24T12:30:00Z',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-24T12:00:40Z',
      },
      '',
      40_000,
    ],
    [
      'the last limit of OpenAI',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '120ms',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6m1.5s',
      },
      '',
      361_500,
    ],
    ['nothing', { 'x-ratelimit-reset-tokens': '6m0s' }, '{}', undefined],
    ['a time in the past', { 'anthropic-ratelimit-unified-reset': '1000000000' }, '', undefined],
    ['a time that is too far away', {}, '{"resets_in_seconds":9999999}', undefined],
  ] as const)('F11: reads %s', (_, headers, body, ms) => {
    expect(told(headers, body)).toBe(ms);
  });
});
