/**
 * Names under which files of others are kept (T15). Whatever somebody called a file, the result is one component that
 * every system takes, says no more than it shows, and differs from all others of its message, also without case.
 */

/** Bytes of UTF-8; room is left for what makes a name unique and for temporary names beside it. */
const maxBytes = 120;
const maxExtension = 16;

/** Steering, hiding, reordering, unassigned; what Windows or a shell reads as something else. */
const unfit = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
const reserved = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** By whole characters, so that none is torn. */
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

/** The name and its extension, e.g. `report` and `.pdf`. */
function split(name: string): readonly [string, string] {
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || name.length - dot > maxExtension) return [name, ''];
  return [name.slice(0, dot), name.slice(dot)];
}

/** Dots and blanks at the end mean nothing on Windows; a dot at the beginning hides. */
const trim = (name: string): string => name.replace(/^[\s.]+|[\s.]+$/gu, '');

function safeName(given: string): string {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = trim(last.replace(unfit, '_').replace(/\s+/gu, ' '));
  const [stem, extension] = split(clean);
  const cut = trim(cutBytes(stem, maxBytes - bytesOf(extension)));
  const name = cut === '' ? `file${extension}` : `${cut}${extension}`;
  // With a hyphen in front it would be an option of any command that is given all files of a folder.
  return reserved.test(name) || name.startsWith('-') ? `_${name}` : name;
}

/** One per name given, in their order. */
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

/** As the least particular file system compares names. */
const fold = (name: string): string => name.normalize('NFKD').toUpperCase().toLowerCase();
