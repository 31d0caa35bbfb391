/** Where code in `bash` and `python` runs: programs of their own, never the program that uses this library. */
import type { Clock } from '../../core/ports.ts';
import { findProgram, pathFolders } from '../../platform/find-program.ts';
import { createProcessPort } from '../../services/executors/process.ts';

export interface ProgramCode {
  readonly language: 'bash' | 'python';
  readonly code: string;
  readonly signal: AbortSignal;
}

export interface CodeOutput {
  /** `null` if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

export interface CodeExecutor {
  /** Rejects if the code cannot be started. */
  run(code: ProgramCode): Promise<CodeOutput>;
  /** Ends all that it started. */
  close(): Promise<void>;
}

export interface SubprocessOptions {
  /** Absolute; the folder in which the code starts. */
  readonly cwd: string;
  /** The whole environment; a few variables such as `PATH` and `HOME` if absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Seconds; 60 if absent. */
  readonly timeout?: number;
}

const inherited = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];
const mostBytes = 4 * 1_048_576;

const programs = { bash: ['bash', '-c'], python: ['python3', '-c'] } as const;

/** Programs with all rights of this one. Each starts in `cwd`, and none is left when its code ends. */
export function makeSubprocessExecutor(
  { cwd, env, timeout = 60 }: SubprocessOptions,
  clock: Clock,
): CodeExecutor {
  const processes = createProcessPort({ clock });
  const ending = new AbortController();
  const passed =
    env ??
    Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  return {
    async run({ language, code, signal }) {
      const [name, flag] = programs[language];
      const program = findProgram(name, pathFolders(passed.PATH ?? ''));
      if (program === null) throw new Error(`The program ${name} is not installed.`);
      const outcome = await processes.run(
        {
          program,
          args: [flag, code],
          cwd,
          env: passed,
          timeoutMs: timeout * 1_000,
          maxStdoutBytes: mostBytes,
          maxStderrBytes: mostBytes,
        },
        AbortSignal.any([signal, ending.signal]),
      );
      if (!outcome.ok) throw new Error(outcome.error.message);
      const { exitCode, timedOut, stdout, stderr } = outcome.value;
      const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
      return { exitCode, timedOut, stdout: text(stdout), stderr: text(stderr) };
    },
    close: async () => ending.abort(),
  };
}
