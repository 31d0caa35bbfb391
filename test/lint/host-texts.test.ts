import { describe, expect, it } from 'vitest';
import { hostTexts, unsaidTemplates } from '../../scripts/host-texts.ts';
import { catalogSentences, germanOfHost } from '../../src/language/german/host-said.ts';

const texts = hostTexts();
const said = texts.map(({ text }) => text);

describe('sentences of the host in another language', () => {
  it('are still said by the host, word for word', () => {
    const others = Object.fromEntries(
      Object.entries(germanOfHost).filter(([english]) => !Object.hasOwn(catalogSentences, english)),
    );
    // Texts with two sentences, a choice, two placeholders, or braces that people are to write.
    const inPieces = ["There is no agent '{id}'; did you mean '{close}'?"];
    expect(unsaidTemplates(others, said).filter((english) => !inPieces.includes(english))).toEqual([]);
  });

  it('bites when a sentence has changed', () => {
    const table = { 'Low risk.': 'a', 'Low risk, mostly.': 'b', 'wants to {=what}': 'c' };
    expect(unsaidTemplates(table, ['Low risk.', 'wants to {}'])).toEqual(['Low risk, mostly.']);
  });
});
