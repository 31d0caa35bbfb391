/** Coloured code in messages. */
import { expectAccessible } from './axe.ts';
import { message } from './fake-data.ts';
import { expect, takePicture, test } from './open-page.ts';

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const line = 'const name = "<img src=x onerror=alert(1)>"; // done';

for (const colorScheme of ['light', 'dark'] as const)
  test(`Code of a known language is coloured, in ${colorScheme}, and stays text`, async ({ page, open }) => {
    await page.emulateMedia({ colorScheme });
    const python = 'def greet(name: str) -> int:\n    """Says hello."""\n    return 42';
    await open(
      { messages: [message('m1', { text: [fence('ts', line), fence('python', python)].join('\n\n') })] },
      '#/chat/ch_general',
    );
    const block = page.locator('.code-block').first();
    await expect(block.locator('.hljs-keyword')).toHaveText('const');
    await expect(block.locator('.hljs-string')).toContainText('onerror');
    expect(await block.locator('code').innerText()).toBe(line);
    expect(await page.locator('.md img').count()).toBe(0);
    await takePicture(page, `code-${colorScheme}`);
    await expectAccessible(page);
  });

test('Code of an unknown language, without one, or very long stays plain', async ({ page, open }) => {
  const long = `${line}\n`.repeat(2_000);
  const texts = [fence('klingon', line), fence('', line), fence('ts', long), fence('js', 'let a = 1')];
  await open({ messages: [message('m1', { text: texts.join('\n\n') })] }, '#/chat/ch_general');
  const blocks = page.locator('.code-block');
  await expect(blocks.nth(3).locator('.hljs-keyword')).toHaveText('let');
  for (const at of [0, 1, 2]) await expect(blocks.nth(at).locator('span')).toHaveCount(0);
});

test('Code gets its colours once it is in view', async ({ page, open }) => {
  const messages = Array.from({ length: 40 }, (_, n) =>
    message(`m${n}`, { text: fence('js', `let line = ${n}\n`.repeat(20)), sentAt: n }),
  );
  await open({ messages }, '#/chat/ch_general');
  const keywords = (id: string) => page.locator(`[data-message="${id}"] .hljs-keyword`);
  await expect(keywords('m39')).toHaveCount(20);
  await expect(page.locator('[data-message="m0"] code')).toHaveCount(1);
  await expect(keywords('m0')).toHaveCount(0);
  await page.locator('[data-message="m0"]').scrollIntoViewIfNeeded();
  await expect(keywords('m0')).toHaveCount(20);
});
