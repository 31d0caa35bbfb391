import { expect, it } from 'vitest';
import { checkRuntime } from './check-input.ts';

it('T18 The address of a model server is refused with a password, which the error does not repeat', () => {
  for (const baseUrl of ['https://ada:canary@models.example/v1', 'http://canary@127.0.0.1:1234']) {
    const refused = checkRuntime({ baseUrl });
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input', where: 'baseUrl' } });
    expect(JSON.stringify(refused)).not.toContain('canary');
  }
  for (const baseUrl of [
    '',
    'https://models.example/v1',
    'http://[::1]:11434/v1',
    'https://x.example/@ada',
  ]) {
    expect(checkRuntime({ baseUrl }).ok).toBe(true);
  }
  expect(checkRuntime({ baseUrl: 'ftp://x' }).ok).toBe(false);
});
