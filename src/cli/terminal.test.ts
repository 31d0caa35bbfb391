import { afterEach, expect, it } from 'vitest';
import { secretFlag, show, showFailure } from './terminal.ts';

const printed: string[] = [];
const own = { out: process.stdout.write, err: process.stderr.write };

function listen(): void {
  const keep = (text: unknown): boolean => printed.push(String(text)) > 0;
  process.stdout.write = keep;
  process.stderr.write = keep;
}
afterEach(() => {
  process.stdout.write = own.out;
  process.stderr.write = own.err;
  printed.length = 0;
});

it('Command output and errors cannot send control sequences to the terminal (T21)', () => {
  const hostile = 'ada\u001b[2J\u009b31m\u202egnp.exe\r';
  listen();
  show(false, {}, hostile);
  show(true, { text: hostile }, '');
  showFailure(false, { code: 'not_found', message: hostile, where: hostile, hint: hostile }, 2);
  showFailure(true, { code: 'not_found', message: hostile }, 2);
  const text = printed.join('');
  process.stdout.write = own.out;
  process.stderr.write = own.err;
  expect(text).toContain('ada<U+001B>[2J');
  expect(text).toContain('"ada\\u001b[2J\\u009B31m');
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
});

it('T18: a secret on the command line is refused, and the error does not repeat it', async () => {
  const refused = secretFlag('sk-live-1234', '--api-key');
  await expect(refused).rejects.toThrow('process list');
  await expect(refused).rejects.not.toThrow('sk-live');
  await expect(secretFlag(undefined, '--passphrase')).resolves.toBeUndefined();
});
