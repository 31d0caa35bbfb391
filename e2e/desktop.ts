/** Shared by the end-to-end tests: the Electron runtime, temporary folders and process inspection. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** The folder set by scripts/electron-runtime.sh; throws if it is missing. */
export function runtimeFolder(): string {
  const folder = process.env.KENNEL_ELECTRON_DIST;
  if (!folder) throw new Error('KENNEL_ELECTRON_DIST is not set: run "npm test -- --only electron"');
  return folder;
}

/** Chromium's sandbox does not run as root; every other user keeps it. */
export const sandboxArguments: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export const freshFolder = (name: string): string => mkdtempSync(path.join(tmpdir(), `kennel-${name}-`));

/** Environment without the machine's own Kennel settings and without API keys. */
export function appEnvironment(home: string, more: Record<string, string> = {}): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/API_KEY|^KENNEL_|^ELECTRON_/.test(name)) env[name] = value;
  }
  return { ...env, KENNEL_HOME: home, ...more };
}

function parentOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields[0] === 'Z' ? -1 : Number(fields[1]);
  } catch {
    return -1;
  }
}

export const isAlive = (pid: number): boolean => parentOf(pid) >= 0;

/** Returns an empty string if the process has ended. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** The process and all its descendants. */
export function processTree(pid: number): number[] {
  const all = readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0);
  const tree = [pid];
  for (let at = 0; at < tree.length; at += 1) tree.push(...all.filter((id) => parentOf(id) === tree[at]));
  return tree;
}

export async function waitFor(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms: number,
): Promise<void> {
  const until = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Time limit in ms for an app that must answer: shorter than a test's, so that a failure names what hangs. */
export const answerMs = 60_000;

/** Playwright waits without a limit for the result of an evaluation. */
export async function answered<T>(what: string, result: Promise<T>): Promise<T> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(() => reject(new Error(`No answer within ${answerMs} ms: ${what}`)), answerMs);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(limit);
  }
}
