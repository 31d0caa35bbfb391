/** Looks for secrets in everything that was written, said or started, however they are spelt (T18). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** By name; the values are what must be found nowhere. */
export type Canaries = Readonly<Record<string, string | Uint8Array>>;

/** A secret as bytes, and as the texts it is usually put into. */
export function spellings(secret: string | Uint8Array): readonly Buffer[] {
  const bytes = Buffer.from(secret);
  const texts = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')].map((text) =>
    // Inside of a longer text the last characters of base64 depend on what follows.
    text.replace(/=+$/, '').slice(0, -1),
  );
  const wide = typeof secret === 'string' ? [Buffer.from(secret, 'utf16le')] : [];
  return [bytes, ...wide, ...texts.map((text) => Buffer.from(text))];
}

/** What was seen, by where it was seen. */
export type Seen = ReadonlyMap<string, Buffer>;

/** `place: name` for each secret that is somewhere. */
export function hits(canaries: Canaries, seen: Seen): readonly string[] {
  const found: string[] = [];
  for (const [name, secret] of Object.entries(canaries)) {
    const forms = spellings(secret);
    for (const [place, bytes] of seen)
      if (forms.some((form) => bytes.includes(form))) found.push(`${place}: ${name}`);
  }
  return found;
}

/** Every plain file below a folder, by its path from there; no link is followed. */
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
    // The process has ended, or is another user's.
    return Buffer.alloc(0);
  }
};

/** Notes how processes were started while it runs: all command lines, and the environments of our own children. */
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
