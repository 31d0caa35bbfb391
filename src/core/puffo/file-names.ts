/**
 * Safe file names for received files (T15): one path component that every system accepts, without hidden
 * characters, and unique within the message, ignoring case.
 */

/** Most UTF-8 bytes; leaves a margin for unique suffixes and temporary names. */
const maxBytes = 120;
const maxExtension = 16;

/** Control, hidden, reordering and unassigned characters, and those with a meaning for Windows or a shell. */
const unfit = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
const reserved = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Never splits a character. */
function cutBytes(text: string, limit: number): string {
  let bytes = 0;
  let out = '';
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > limit) break;
    out += character;
  }
  return out;
}

/** Name and extension, e.g. `report` and `.pdf`. */
function split(name: string): readonly [string, string] {
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || name.length - dot > maxExtension) return [name, ''];
  return [name.slice(0, dot), name.slice(dot)];
}

/** Windows ignores trailing dots and blanks; a leading dot hides a file. */
const trim = (name: string): string => name.replace(/^[\s.]+|[\s.]+$/gu, '');

function safeName(given: string): string {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = trim(last.replace(unfit, '_').replace(/\s+/gu, ' '));
  const [stem, extension] = split(clean);
  const cut = trim(cutBytes(stem, maxBytes - bytesOf(extension)));
  const name = cut === '' ? `file${extension}` : `${cut}${extension}`;
  // A leading hyphen would be an option of any command that receives all files of a folder.
  return reserved.test(name) || name.startsWith('-') ? `_${name}` : name;
}

/** One name per given name, in order. */
export function safeFileNames(given: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return given.map((one) => {
    const name = safeName(one);
    const [stem, extension] = split(name);
    let unique = name;
    for (let n = 2; taken.has(fold(unique)); n += 1) unique = `${stem} (${n})${extension}`;
    taken.add(fold(unique));
    return unique;
  });
}

/** Compares names like the least specific file system. */
const fold = (name: string): string => name.normalize('NFKD').toUpperCase().toLowerCase();
