import { expect, test } from 'vitest';
import { toEmoji } from './emoji.ts';

test('one emoji is accepted, also one of several code points or without its colour mark', () => {
  expect(toEmoji('👍')).toBe('👍');
  expect(toEmoji(' 👩‍🚀 ')).toBe('👩‍🚀');
  expect(toEmoji('🇩🇪')).toBe('🇩🇪');
  expect(toEmoji('\u2764')).toBe('\u2764\uFE0F');
});

test('text, digits and several emoji are rejected', () => {
  for (const typed of ['', 'a', '1', '👍👍', '👍 ok', '<b>', '\u202E', '😀'.repeat(1000)])
    expect(toEmoji(typed)).toBeNull();
});
