import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createServerClock } from './clock-skew.ts';
import { parseJson } from './parse-json.ts';
import { readAnswer } from './read-answer.ts';

const read = (status: number, text: string, retryAfterMs: number | null = null) =>
  readAnswer(
    {
      ok: true,
      value: {
        status,
        contentType: 'text/html',
        body: new TextEncoder().encode(text),
        serverTime: null,
        retryAfterMs,
      },
    },
    createServerClock(createVirtualClock()),
  );

describe('Response parser', () => {
  it('accepts JSON whatever its content type, and null for an empty body', () => {
    expect(read(200, '{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(read(204, '')).toEqual({ ok: true, value: null });
  });

  it('treats an HTML page with status 200 as an error', () => {
    expect(read(200, '<!doctype html>')).toMatchObject({ ok: false, error: { code: 'protocol' } });
  });

  it('keeps the server’s code, text, devices and Retry-After', () => {
    const body = { error: 'DEVICE_NOT_FOUND', message: 'gone', devices: ['dev_1'] };
    expect(read(400, JSON.stringify(body), 5_000)).toMatchObject({
      ok: false,
      error: {
        code: 'invalid_input',
        status: 400,
        serverCode: 'DEVICE_NOT_FOUND',
        serverText: 'gone',
        devices: ['dev_1'],
        retryAfterMs: 5_000,
      },
    });
  });

  it('classifies a refusal by its status if its body is not JSON or has another form', () => {
    for (const odd of ['<html>', '[1]', '{"error":7}', 'null']) {
      expect(read(503, odd), odd).toMatchObject({
        ok: false,
        error: { code: 'unavailable', serverCode: '' },
      });
    }
  });
});

describe('T24: Untrusted JSON', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it('is refused if nested deeper than 64', () => {
    expect(parseJson(nested(64)).ok).toBe(true);
    expect(parseJson(nested(65))).toMatchObject({ ok: false, error: { code: 'too_large' } });
  });

  it('may hold any number of brackets and quotes inside strings', () => {
    const text = JSON.stringify({ text: `${'['.repeat(200)}"\\${'{'.repeat(200)}` });
    expect(parseJson(text).ok).toBe(true);
  });
});
