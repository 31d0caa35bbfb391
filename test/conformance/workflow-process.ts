/** Real processes for the suite `workflow`: the command line, and a program that embeds the library. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { kennelEntry } from '../fakes/kennel-entry.ts';

const place = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

export const enginePaths: readonly string[] = [process.execPath, kennelEntry, 'puppy'];
export const hostPath: readonly string[] = [process.execPath, place('test/hosts/puppy-host.mjs')];

export interface ProcessEnd {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | null;
  readonly ms: number;
}

export interface ProcessRequest {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Sends the signal `killMs` after the file `marker` has appeared. */
  readonly kill?: {
    readonly marker: string;
    readonly killMs?: number | undefined;
    readonly sig?: string | undefined;
  };
}

const longestMs = 60_000;

export function runProcess(
  [program = '', ...args]: readonly string[],
  request: ProcessRequest,
): Promise<ProcessEnd> {
  const begun = performance.now();
  const child = spawn(program, args, { cwd: request.cwd, env: request.env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(request.input ?? '');
  const { kill } = request;
  const look = setInterval(() => {
    if (!kill || !existsSync(kill.marker)) return;
    clearInterval(look);
    setTimeout(() => child.kill((kill.sig ?? 'SIGKILL') as NodeJS.Signals), kill.killMs ?? 150);
  }, 20);
  const hard = setTimeout(() => child.kill('SIGKILL'), longestMs);
  return new Promise((resolve) => {
    child.on('close', (exit) => {
      clearInterval(look);
      clearTimeout(hard);
      resolve({ stdout, stderr, exit, ms: Math.round(performance.now() - begun) });
    });
  });
}
