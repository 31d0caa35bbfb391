/** Style rules that would slow down each key and each scrolled frame of a long chat. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = path.join(import.meta.dirname, '../../src/renderer/style');

/** Elements around the messages and the composer: `:has` on one of them restyles its content on each key. */
const around =
  /(?:^|[\s,>+~])(?:html|body|main|\.(?:frame|content|chat|chat-main|timeline|column|composer)\b)[^\s,>+~]*:has\(/m;

const slowRules = (css: string): readonly string[] => css.split('\n').filter((line) => around.test(line));

describe('style rules', () => {
  it('never ask what the page or the chat contains', () => {
    const slow = readdirSync(folder)
      .filter((file) => file.endsWith('.css'))
      .flatMap((file) => slowRules(readFileSync(path.join(folder, file), 'utf8')));
    expect(slow).toEqual([]);
  });

  it.each([
    '.chat:has(.message:hover) .message > .row-actions {',
    'body:not(:has(.dialog)) [guard] {',
    'body:has(.composer) .notices,',
  ])('notice %s', (line) => {
    expect(slowRules(line)).toEqual([line]);
  });

  it('may ask about a small part', () => {
    expect(slowRules('.file-chip:has(.inline-picture) {')).toEqual([]);
  });
});
