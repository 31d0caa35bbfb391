import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { germanOfHost } from './german/host-said.ts';
import { createHostReader, parseSentence } from './host-sentences.ts';

const read = createHostReader(germanOfHost, 'de');

describe('Translation of host sentences', () => {
  test.each([
    ['wants to write notes/hello.md', 'möchte notes/hello.md schreiben'],
    ['wants to read a message', 'möchte eine Nachricht lesen'],
    ['writing hello.md for #general', 'schreibt hello.md, für #general'],
    ['read hello.md', 'hello.md gelesen'],
    [
      'The run goes on only when this is approved. deploy was started by you.',
      'Der Lauf geht nur weiter, wenn das freigegeben wird. deploy hast du gestartet.',
    ],
    [
      "asks: Step 'send' was interrupted. Perhaps it did its work, perhaps not. Was it done (attempt 1)?",
      'fragt: Schritt „send“ wurde unterbrochen. Vielleicht hat er seine Arbeit getan, vielleicht nicht. Ist sie getan (Versuch 1)?',
    ],
    [
      'This is not YAML: Tags and anchors must be separated from the next token by white space.',
      'Das ist kein YAML: Tags and anchors must be separated from the next token by white space.',
    ],
    [
      'It asks because #dev (3 others) may not know what the answer may tell: its files, its notes and messages of @ada-1.',
      'Gefragt wird, weil #dev (3 andere) vielleicht nicht wissen darf, was die Antwort verrät: seine Dateien, seine Notizen und Nachrichten von @ada-1.',
    ],
    [
      'share its files and its tasks with #dev (3 others)',
      'seine Dateien und seine Aufgaben mit #dev (3 andere) teilen',
    ],
    [
      'share what its other tools showed it with @eve-1',
      'was seine anderen Werkzeuge ihm gezeigt haben mit @eve-1 teilen',
    ],
    [
      'wants to answer eve-1, who writes for the first time',
      'möchte eve-1 antworten; die Person schreibt zum ersten Mal',
    ],
    ['did not run a command', 'nicht getan: einen Befehl ausführen'],
    ['waiting for you: running a command', 'wartet auf dich: führt einen Befehl aus'],
    ['It asks because it changes something.', 'Gefragt wird, weil es etwas ändert.'],
    [
      'It asks because it deletes for good. The agent says: "It is old. Really."',
      'Gefragt wird, weil es endgültig löscht. Der Agent sagt: „It is old. Really.“',
    ],
    [
      'The budget of all agents is used up: 12,345 of 12,000 tokens today.',
      'Das Budget von allen Agenten ist aufgebraucht: 12.345 von 12.000 Token heute.',
    ],
    [
      'The budget of Guide is nearly used up: $0.45 of $0.50 this month.',
      'Das Budget von Guide ist fast aufgebraucht: 0,45\u00a0$ von 0,50\u00a0$ in diesem Monat.',
    ],
    [
      "The task's budget is spent: all 20 steps are used. What it did is kept.",
      'Das Budget der Aufgabe ist aufgebraucht: alle 20 Schritte sind getan. Was sie getan hat, bleibt.',
    ],
    [
      'Task 3 is done: it succeeded. Fork it to do it again from a step.',
      'Bei Aufgabe 3 geht das gerade nicht: Sie ist erledigt. Zweige von ihr ab, um sie ab einem Schritt noch einmal zu tun.',
    ],
    [
      'run names $drft, but there is no such step.',
      'run nennt $drft, aber einen solchen Schritt gibt es nicht.',
    ],
    [
      'Did you mean $draft? For a variable of the shell write $HOME.',
      'Meintest du $draft? Für eine Variable der Shell schreib $HOME.',
    ],
    ['Stage 2 of the pipeline: Unknown command: hed', 'Stufe 2 der Pipeline: Unbekannter Befehl: hed'],
    [
      "Step 'send' failed (exit code 3): no such host",
      'Schritt „send“ ist gescheitert (exit code 3): no such host',
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
    expect(read(`wants to write ${'a for #'.repeat(100_000)}`)).toBeNull();
  });

  test('keeps every value unchanged and reads none as a template (T21)', () => {
    const value = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).map((text) => `${text}|`);
    fc.assert(
      fc.property(value, (path) => {
        expect(read(`wants to write ${path}`)).toBe(`möchte ${path} schreiben`);
      }),
      { verbose: 1 },
    );
    expect(read('wants to write {path}$&')).toBe('möchte {path}$& schreiben');
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
