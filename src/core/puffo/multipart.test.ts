import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concat, fromUtf8, utf8 } from '../lib/bytes.ts';
import { stripMultipart } from './multipart.ts';

const head = (name: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n`;
const strip = (text: string) => fromUtf8(stripMultipart(utf8(text)));

test('The largest part of a multipart form is the file', () => {
  const form = `--xyz\r\n${head('note')}hi\r\n--xyz\r\n${head('file')}the whole file\r\n\r\n--xyz--\r\n`;
  expect(strip(form)).toBe('the whole file\r\n');
  expect(strip(form.replaceAll('\r\n', '\n'))).toBe('the whole file\n');
});

test('Content that is not multipart is returned unchanged', () => {
  for (const text of [
    '',
    '--',
    'plain',
    '-- not multipart',
    '--x\nno second boundary',
    '--x\r\nno head\r\n--x--',
  ]) {
    expect(strip(text)).toBe(text);
  }
  const late = `--${'x'.repeat(300)}\r\n${head('f')}body\r\n--${'x'.repeat(300)}--`;
  expect(strip(late)).toBe(late);
});

test('Any bytes survive being sent as a form', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (file) => {
      const boundary = '--b0undary-of-this-test';
      const form = concat(utf8(`${boundary}\r\n${head('f')}`), file, utf8(`\r\n${boundary}--\r\n`));
      expect(Buffer.from(stripMultipart(form))).toEqual(Buffer.from(file));
    }),
  );
});

test('Text like a boundary in the middle of a line is content', () => {
  const file = 'see --xyz here, and --xyz there';
  expect(strip(`--xyz\r\n${head('f')}${file}\r\n--xyz--\r\n`)).toBe(file);
});

test('T24: a file full of near-boundaries is scanned in linear time', () => {
  const dashes = 254;
  const bytes = new Uint8Array(8 * 1024 * 1024).fill(0x2d);
  bytes[dashes] = 0x0a;
  for (let at = 2 * dashes; at < bytes.length; at += dashes) bytes[at] = 0x78;
  // An earlier version blocked the whole host for 15 seconds on this input.
  expect(stripMultipart(bytes)).toBe(bytes);
});
