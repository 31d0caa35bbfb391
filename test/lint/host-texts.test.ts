import { describe, expect, it } from 'vitest';
import { coverage, hostTexts, unsaidTemplates } from '../../scripts/host-texts.ts';
import { catalogSentences, germanOfHost } from '../../src/language/german/host-said.ts';

const texts = hostTexts();
const said = texts.map(({ text }) => text);

describe('sentences of the host in another language', () => {
  it('are still said by the host, word for word', () => {
    const others = Object.fromEntries(
      Object.entries(germanOfHost).filter(([english]) => !Object.hasOwn(catalogSentences, english)),
    );
    // Texts with two sentences, a choice, two placeholders, or braces that people are to write.
    const inPieces = [
      "There is no agent '{id}'; did you mean '{close}'?",
      'For a variable of the shell write {ref}.',
      "Write title='{{name}}'.",
      'where needs a condition: path OP value, with = == != < <= > >=',
      'The file: {=what}',
      'It {=what}.',
      'The file, {field}: {=what}',
      'Argument "{name}": {=what}',
      'Argument "{name}", {field}: {=what}',
      'Unknown field "{name}" (did you mean "{meant}"?).',
      '{place} must be an object.',
      '{place} must be a list.',
      '{place} must be a list of names.',
      '{place} is nested too deeply.',
      '{place} must be one of {values}.',
    ];
    expect(unsaidTemplates(others, said).filter((english) => !inPieces.includes(english))).toEqual([]);
  });

  it('bites when a sentence has changed', () => {
    const table = { 'Low risk.': 'a', 'Low risk, mostly.': 'b', 'wants to {=what}': 'c' };
    expect(unsaidTemplates(table, ['Low risk.', 'wants to {}'])).toEqual(['Low risk, mostly.']);
  });

  it('grow with the host: of what errors say, at least this part is there', () => {
    const { all, known } = coverage(germanOfHost, texts);
    expect(known / all).toBeGreaterThan(0.42);
  });
});
