/** Finds catalog texts that neither the window nor the shell uses. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { english } from '../src/language/english.ts';
import { laterEnglish } from '../src/language/english-later.ts';

const root = path.resolve(import.meta.dirname, '..');
/** The contract contains texts for its own values. */
const folders = ['src/renderer', 'src/main', 'src/contract'];
/** Formats amounts for the window and the shell. */
const money = 'src/language/money.ts';

/**
 * Keys occur as `'part.key'`, or composed of a start, a value and an end: `part.life_${life}`. If the value
 * is the whole key (`part.${state}`), it must occur elsewhere as a word or key; otherwise every key of the
 * part would count.
 */
const whole = /(['"`])([a-zA-Z]\w*\.\w+)\1/g;
const word = /['"]([a-zA-Z]\w*)['"]|\b([a-zA-Z]\w*)(?=\??:)/g;
const made = /`([a-zA-Z]\w*\.\w*)\$\{[^}]*\}(\w*)`/g;

/** A key of two values: `part.${group}_${field}`; both must occur as words. */
const paired = /`([a-zA-Z]\w*\.)\$\{[^}]*\}(\w+)\$\{[^}]*\}`/g;

function isPair(key: string, from: string, between: string, words: ReadonlySet<string>): boolean {
  const pieces = key.startsWith(from) ? key.slice(from.length).split(between) : [];
  return pieces.some(
    (_, at) =>
      at > 0 && words.has(pieces.slice(0, at).join(between)) && words.has(pieces.slice(at).join(between)),
  );
}

export function unusedKeys(keys: readonly string[], sources: readonly string[]): string[] {
  const said = new Set<string>();
  const patterns = new Map<string, readonly [string, string]>();
  const pairs: (readonly [string, string])[] = [];
  const words = new Set<string>();
  for (const source of sources) {
    for (const [, , key = ''] of source.matchAll(whole)) said.add(key);
    for (const [, text, key = ''] of source.matchAll(word)) words.add(text ?? key);
    for (const [, from = '', between = ''] of source.matchAll(paired)) pairs.push([from, between]);
    for (const [all, from = '', to = ''] of source.matchAll(made)) patterns.set(all, [from, to]);
  }
  const isMade = (key: string): boolean =>
    [...patterns.values()].some(
      ([from, to]) =>
        key.startsWith(from) &&
        key.endsWith(to) &&
        key.length > from.length + to.length &&
        (to !== '' || !from.endsWith('.') || words.has(key.slice(from.length))),
    );
  const isPaired = (key: string): boolean =>
    pairs.some(([from, between]) => isPair(key, from, between, words));
  return keys.filter((key) => !said.has(key) && !isMade(key) && !isPaired(key));
}

export const allKeys = (
  catalog: Readonly<Record<string, object>> = { ...english, ...laterEnglish },
): string[] =>
  Object.entries(catalog).flatMap(([part, words]) => Object.keys(words).map((key) => `${part}.${key}`));

export function unusedTexts(): string[] {
  const sources = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /[.]tsx?$/.test(name) && !/[.]test[.]tsx?$/.test(name))
      .map((name) => readFileSync(path.join(root, folder, name), 'utf8')),
  );
  return unusedKeys(allKeys(), [...sources, readFileSync(path.join(root, money), 'utf8')]);
}

if (import.meta.main) {
  const unused = unusedTexts();
  for (const key of unused) console.error(`${key} is said nowhere`);
  console.log(`${allKeys().length} texts, ${unused.length} unused`);
  process.exitCode = unused.length > 0 ? 1 : 0;
}
