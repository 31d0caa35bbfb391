import { expect, it } from 'vitest';
import { transcriptText, userMessage } from '../models/messages.ts';
import { fitToWindow } from './fit-window.ts';
import { summaryHeading } from './plan-compaction.ts';
import { estimateContext } from './tokens.ts';

const summary = userMessage(`${summaryHeading}\n\nThe code word is heron.`, 1);
const long = (text: string) => userMessage(text.repeat(4_000), 2);

it.each([
  ['first', [summary, long('a'), long('b')]],
  ['behind notes', [long('n'), summary, long('a'), long('b')]],
])('A request that does not fit keeps a summary that comes %s, and the newest messages', (_, messages) => {
  const fitted = fitToWindow({ system: 'S', messages, tools: [] }, 2_000);
  if (!fitted.ok) throw new Error(fitted.error.message);
  const texts = fitted.value.messages.map(transcriptText);
  expect(texts[0]).toContain('heron');
  expect(texts[1]).toContain('left out here');
  expect(texts.at(-1)).toMatch(/^b+$/);
  expect(estimateContext(fitted.value)).toBeLessThan(2_000);
});

it('A summary that is the newest message is shortened as one', () => {
  const only = userMessage(`${summaryHeading}\n\n${'heron '.repeat(4_000)}`, 1);
  const fitted = fitToWindow({ system: 'S', messages: [only], tools: [] }, 1_000);
  expect(fitted.ok && fitted.value.messages).toHaveLength(1);
  expect(fitted.ok && estimateContext(fitted.value)).toBeLessThan(1_000);
});
