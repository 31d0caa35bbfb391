/** Names that mean something else than the file of that name on Windows: devices, streams, other machines, short names. */

const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
/** `GIT~1`, by which Windows knows `.git`, too: a check of names would not see what it opens. */
const short = /^[^.]{1,6}~\d{1,6}(?:[.][^.]{0,3})?$/;

export function isWindowsTrap(path: string): boolean {
  if (/^[\\/]{2}/.test(path)) return true;
  return path
    .replace(/^[A-Za-z]:(?=[\\/])/, '')
    .split(/[\\/]/)
    .some(
      (name) =>
        name.includes(':') ||
        /^(?![.]{1,2}$).*[. ]$/.test(name) ||
        short.test(name) ||
        reserved.test(name.split('.')[0] ?? ''),
    );
}
