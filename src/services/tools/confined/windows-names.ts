/** Names that Windows does not read as plain file names: devices, streams, network paths, short names. */

const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
/** Windows also opens `.git` as `GIT~1`, which a check of names would miss. */
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
