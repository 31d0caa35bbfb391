/** Searches for secrets in all written, printed and started things, in every encoding (T18). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Secrets by name; no value may be found anywhere. */
export type Canaries = Readonly<Record<string, string | Uint8Array>>;

/** A secret as bytes, and in its usual text encodings. */
export function spellings(secret: string | Uint8Array): readonly Buffer[] {
  const bytes = Buffer.from(secret);
  const texts = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')].map((text) =>
    // Inside a longer text, the last base64 characters depend on the following bytes.
    text.replace(/=+$/, '').slice(0, -1),
  );
  const wide = typeof secret === 'string' ? [Buffer.from(secret, 'utf16le')] : [];
  return [bytes, ...wide, ...texts.map((text) => Buffer.from(text))];
}

/** Observed data by location. */
export type Seen = ReadonlyMap<string, Buffer>;

/** `place: name` for each secret that was found. */
export function hits(canaries: Canaries, seen: Seen): readonly string[] {
  const found: string[] = [];
  for (const [name, secret] of Object.entries(canaries)) {
    const forms = spellings(secret);
    for (const [place, bytes] of seen)
      if (forms.some((form) => bytes.includes(form))) found.push(`${place}: ${name}`);
  }
  return found;
}

/** Regular files below a folder, by relative path; does not follow links. */
export function filesBelow(folder: string, from = folder): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isFile()) files.set(path.relative(from, file), readFileSync(file));
    if (entry.isDirectory()) for (const [name, bytes] of filesBelow(file, from)) files.set(name, bytes);
  }
  return files;
}

const readOrEmpty = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    // The process has ended, or belongs to another user.
    return Buffer.alloc(0);
  }
};

/**
 * Records how processes are started meanwhile: all command lines, and the environments of our own children.
 */
export function watchProcesses(): { readonly seen: Map<string, Buffer>; stop(): void } {
  const seen = new Map<string, Buffer>();
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const words = readOrEmpty(`/proc/${pid}/cmdline`);
      if (words.length > 0) seen.set(`command line ${words.toString('latin1').slice(0, 80)}`, words);
      const parent = /^PPid:\s*(\d+)$/m.exec(readOrEmpty(`/proc/${pid}/status`).toString())?.[1];
      if (parent === String(process.pid))
        seen.set(
          `environment of ${words.toString('latin1').slice(0, 80)}`,
          readOrEmpty(`/proc/${pid}/environ`),
        );
    }
  };
  if (process.platform !== 'linux') return { seen, stop: () => undefined };
  const timer = setInterval(look, 100);
  return { seen, stop: () => clearInterval(timer) };
}
