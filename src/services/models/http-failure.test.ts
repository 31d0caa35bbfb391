import { describe, expect, it } from 'vitest';
import { refusalFailure, retryAfterMs, serverWords } from './http-failure.ts';

describe('HTTP failure', () => {
  it('F11 reads Retry-After as seconds or as a date, never negative, at most a day', () => {
    const now = Date.UTC(2026, 4, 14, 20, 20, 0);
    expect(retryAfterMs('Thu, 14 May 2026 20:20:30 GMT', now)).toBe(30_000);
    expect(retryAfterMs('Thu, 14 May 2026 20:19:30 GMT', now)).toBe(0);
    expect(retryAfterMs('999999999', now)).toBe(86_400_000);
    expect(retryAfterMs('soon', now)).toBeUndefined();
    expect(retryAfterMs(null, now)).toBeUndefined();
  });

  it('treats status 413 from a proxy as a context overflow, whatever its body', () => {
    const refusal = { status: 413, body: '<html>', server: 's', model: 'm', apiKey: null, nowMs: 0 };
    expect(refusalFailure({ ...refusal, retryAfter: null })).toMatchObject({
      retryable: false,
      overflow: true,
      error: { code: 'too_large' },
    });
  });

  it('T18 removes texts that look like a key', () => {
    const said = serverWords('{"message":"bad key sk-abc***wxyz and tok"}', 'tok');
    expect(said).toBe('bad key [key] and [key]');
  });

  it.each([400, 402, 404, 413, 429, 500])(
    'T18 quotes a refusal (%i) that may repeat the prompt only in the hint, not in the message',
    (status) => {
      const body = '{"error":{"message":"cannot answer: my diagnosis"}}';
      const asked = { status, body, server: 's', model: 'm', apiKey: null, nowMs: 0, retryAfter: null };
      const { error } = refusalFailure(asked);
      expect([error.message.includes('diagnosis'), error.hint?.includes('my diagnosis')]).toEqual([
        false,
        true,
      ]);
    },
  );
});
