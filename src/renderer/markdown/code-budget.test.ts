import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { unlessSlow } from './code-budget.ts';
import { loadHighlight } from './code-text.tsx';
import { Markdown } from './markdown.tsx';

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

/** Whether each block of the text has colours. */
async function coloured(...blocks: string[]): Promise<boolean[]> {
  await loadHighlight();
  const page = renderToStaticMarkup(createElement(Markdown, { text: blocks.join('\n\n') }));
  return page
    .split('<pre')
    .slice(1)
    .map((block) => block.includes('hljs-'));
}

/** TypeScript of this length that begins with a keyword, so that colours show. */
const typescript = (length: number, filler: string): string =>
  `let x;${filler.repeat(Math.ceil(length / filler.length))}`.slice(0, length);

test.each(['a', '(', '<a ', '`${', '/*', '\\', "'"])(
  'T24: Code of %j repeated above 3,000 characters stays plain',
  async (filler) => {
    expect(await coloured(fenced('typescript', typescript(3_001, filler)))).toEqual([false]);
    expect(await coloured(fenced('ts', typescript(200_000, filler)))).toEqual([false]);
    expect(await coloured(fenced('ts', typescript(300, filler)))).toEqual([true]);
  },
);

test('T24: A message colours at most 6,000 characters, and shorter blocks still fit after a long one', async () => {
  const code = (length: number): string => fenced('ts', typescript(length, 'y = 1;\n').replace(/\n$/, ';'));
  expect(
    await coloured(code(3_000), `> ${code(2_000).replaceAll('\n', '\n> ')}`, code(1_500), code(900)),
  ).toEqual([true, true, false, true]);
  expect(await coloured(...Array.from({ length: 100 }, () => code(1_000)))).toEqual(
    Array.from({ length: 100 }, (_, n) => n < 6),
  );
});

test('T24: A language that was slow on long code is not coloured again, the others are', () => {
  let now = 0;
  const colour = unlessSlow(
    (_, code) => {
      now += code.length / 10;
      return [{ text: code, kind: 'k' }];
    },
    () => now,
  );
  expect(colour('ts', 'x'.repeat(2_500))).not.toBeNull();
  expect(colour('ts', 'x'.repeat(2_501))).not.toBeNull();
  expect(colour('ts', 'x')).toBeNull();
  expect(colour('go', 'x')).not.toBeNull();
});
