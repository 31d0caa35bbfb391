import { expect, test } from 'vitest';
import { highlightCode } from './highlight.ts';

const code = 'const name: string = "<b>&amp;</b>"; // done';

test('the parts are the code itself, with classes for the colours', () => {
  const parts = highlightCode('ts', code) ?? [];
  expect(parts.map(({ text }) => text).join('')).toBe(code);
  expect(parts.find(({ text }) => text === 'const')?.kind).toContain('hljs-keyword');
  expect(parts.find(({ text }) => text.includes('&amp;'))?.kind).toContain('hljs-string');
});

test('an unknown language is not coloured', () => {
  expect(highlightCode('klingon', code)).toBeNull();
  expect(highlightCode('__proto__', code)).toBeNull();
});
