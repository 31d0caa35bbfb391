import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { germanOfHost } from './german/host-said.ts';
import { createHostReader, parseSentence } from './host-sentences.ts';

const read = createHostReader(germanOfHost, 'de');

describe('Translation of host sentences', () => {
  test.each([
    [
      "The task's budget is spent: all 20 steps are used. What it did is kept.",
      'Das Budget der Aufgabe ist aufgebraucht: alle 20 Schritte sind getan. Was sie getan hat, bleibt.',
    ],
    [
      'Task 3 is done: it succeeded. Fork it to do it again from a step.',
      'Bei Aufgabe 3 geht das gerade nicht: Sie ist erledigt. Zweige von ihr ab, um sie ab einem Schritt noch einmal zu tun.',
    ],
    ["The run did not come past 'loop[0].b'.", 'Der Lauf kam nicht an „loop[0].b“ vorbei.'],
    [
      "What comes behind 'ask' depends on an answer, and an answer is good for its own run only.",
      'Was hinter „ask“ kommt, hängt von einer Antwort ab, und eine Antwort gilt nur für ihren eigenen Lauf.',
    ],
    [
      'The workflow release.puppy did not start: There is no file release.puppy.',
      'Der Ablauf release.puppy begann nicht: Eine Datei release.puppy gibt es nicht.',
    ],
    [
      'The server cannot be reached. Nothing was changed.',
      'Der Server ist nicht erreichbar. Nichts wurde geändert.',
    ],
  ])('%s', (english, german) => {
    expect(read(english)).toBe(german);
  });

  test('leaves unknown sentences and text of agents and people unchanged', () => {
    for (const text of [
      '',
      'Thanks for #general',
      'wants to dance',
      'Here is hello.md.',
      'I am glad. Nothing was changed.',
    ])
      expect(read(text)).toBeNull();
  });

  test('skips very long text in linear time (T21)', () => {
    expect(read(`Unknown command: ${'a: '.repeat(100_000)}`)).toBeNull();
  });

  test('keeps every value unchanged and reads none as a template (T21)', () => {
    const value = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).map((text) => `${text}|`);
    fc.assert(
      fc.property(value, (path) => {
        expect(read(`Unknown command: ${path}`)).toBe(`Unbekannter Befehl: ${path}`);
      }),
      { verbose: 1 },
    );
    expect(read('Unknown command: {name}$&')).toBe('Unbekannter Befehl: {name}$&');
  });
});

describe('German table', () => {
  const entries = Object.entries(germanOfHost);

  test('uses only the placeholders of the English sentence', () => {
    const namesIn = (text: string): string[] =>
      [...new Set(parseSentence(text, '').slots.map(({ name }) => name))].sort();
    for (const [english, german] of entries) {
      const [has, wants] = [namesIn(english), namesIn(german)];
      expect({ english, extra: wants.filter((name) => !has.includes(name)) }).toEqual({ english, extra: [] });
    }
  });

  test('has a text for each sentence, and no adjacent placeholders', () => {
    for (const [english, german] of entries) {
      expect(german, english).not.toBe('');
      expect(english).not.toMatch(/\}\{/);
    }
  });
});
