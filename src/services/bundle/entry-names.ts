/**
 * Checks which names in an archive may become files (T16): relative, without `..`, one file each, and no name
 * that this system interprets specially.
 */
import { say } from '../../language/say.ts';
import { bundleFault } from './bundle-fault.ts';

const maxDepth = 64;
const maxNameBytes = 255;
const maxPathBytes = 2_048;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const badCharacter = /[\u0000-\u001f\u007f\\]/;
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)([.].*)?$/i;

function badSegment(segment: string, platform: NodeJS.Platform): boolean {
  if (segment === '' || segment === '.' || segment === '..') return true;
  if (Buffer.byteLength(segment) > maxNameBytes) return true;
  if (platform !== 'win32') return false;
  return /[<>:"|?*]/.test(segment) || /[. ]$/.test(segment) || deviceName.test(segment);
}

/** The segments of a file path; `null` if the path is not allowed. */
export function segmentsOf(name: string, platform: NodeJS.Platform = process.platform): string[] | null {
  if (Buffer.byteLength(name) > maxPathBytes || badCharacter.test(name)) return null;
  if (/^[a-z]:/i.test(name)) return null;
  const segments = name.split('/');
  if (segments.length > maxDepth || segments.some((segment) => badSegment(segment, platform))) return null;
  return segments;
}

/** Maps spellings that the file system treats as one file to one key. */
function keyOf(name: string, platform: NodeJS.Platform): string {
  const normal = name.normalize('NFC');
  return platform === 'darwin' || platform === 'win32' ? normal.toLowerCase() : normal;
}

/** Throws for the first name that is not allowed, occurs twice, or is both file and folder. */
export function checkNames(names: readonly string[], platform: NodeJS.Platform = process.platform): void {
  const files = new Set<string>();
  for (const name of names) {
    if (segmentsOf(name, platform) === null) {
      throw bundleFault(say('moving.unsafeEntryName'), shown(name));
    }
    const key = keyOf(name, platform);
    if (files.has(key)) {
      throw bundleFault(say('moving.duplicateName'), shown(name));
    }
    files.add(key);
  }
  for (const key of files) {
    for (let at = key.indexOf('/'); at > 0; at = key.indexOf('/', at + 1)) {
      if (!files.has(key.slice(0, at))) continue;
      throw bundleFault(say('moving.fileFolderClash'), shown(key));
    }
  }
}

const shown = (name: string): string => JSON.stringify(name).slice(0, 120);
