import { errorLines } from '../../contract/error-text.ts';
import type { AppError } from '../../contract/errors.ts';
import { CommandFailure } from '../terminal.ts';
import { printable } from '../visible-text.ts';
import { runCommand } from './run.ts';

// Dispatches `kennel puppy` and `puppy`. Commands are loaded when they run, except for `run`, the most
// frequent one.

type Command = (argv: readonly string[], version: string) => Promise<number>;

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => runCommand,
  resume: async () => (await import('./resume.ts')).resumeCommand,
  cancel: async () => (await import('./manage.ts')).cancelCommand,
  retry: async () => (await import('./manage.ts')).retryCommand,
  again: async () => (await import('./manage.ts')).againCommand,
  list: async () => (await import('./look.ts')).listCommand,
  runs: async () => (await import('./look.ts')).listCommand,
  show: async () => (await import('./look.ts')).showCommand,
  log: async () => (await import('./look.ts')).logCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  graph: async () => (await import('./check.ts')).graphCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
};

/** Besides `version` and `help`. */
export const puppyCommands: readonly string[] = Object.keys(commands);

const help = `Usage: puppy COMMAND   (the same as: kennel puppy COMMAND)

  run FILE | PIPELINE      run a workflow file, or a pipeline in quotes
      --args-json JSON  --arg NAME=TEXT  --cwd DIR  --file FILE  --dry-run  --key TEXT
      --timeout-ms N  --max-stdout-bytes N  --mode human|tool  --wait
  resume                   answer a question, and go on
      --token TOKEN | --id ID | RUN   --approve yes|no [--reason TEXT] | --response-json JSON | --answer done|repeat|cancel | --cancel
  resume RUN               go on with a run that was interrupted or whose time has come
  cancel RUN               end a run
  retry RUN                go on with a failed run from what failed
      --from STEP          another run, which takes over what the steps before STEP left; people are asked again
      --from               from which steps that can be, and what each would do or ask a second time
  again RUN                the same once more as another run   --current: its file as it is now
  list, runs               what ran, runs and waits   --status STATUS  --limit N
  show RUN                 one run   --step PATH
  log RUN                  everything that happened in it   --verify | --export FILE
  log --verify             whether every run that there ever was is as it was written
  check FILE | PIPELINE    what is wrong or doubtful; nothing runs
  graph FILE               its picture   --format mermaid|svg|dot|ascii
  doctor                   whether everything is there that runs need
  version, help

FILE is a path, or a name, that of the file or the one in it: in Kennel's folder of workflows or in "workflows" below this one, else
among the examples (weekly-review, ...). Which file it is stands on standard error.
Add --json to get one JSON document. Runs are kept in PUPPY_STATE_DIR; without it the running Kennel has them, and where
none runs the folder ~/.puppy (--standalone: always that folder).
Exit codes: 0 done or waiting, 1 failed, 2 wrong use; 128 + N when ended by a signal.
`;

/** In tool mode an error is printed as an envelope. */
function tellRefusal(error: AppError, tool: boolean, exitCode: number): number {
  if (tool) {
    const text = [error.message, error.hint].filter((part) => part !== undefined).join(' ');
    const type = exitCode === 2 ? 'parse_error' : 'runtime_error';
    const envelope = { protocolVersion: 1, ok: false, error: { type, message: text } };
    process.stdout.write(`${JSON.stringify(envelope, null, 2)}\n`);
  } else process.stderr.write(`${printable(errorLines(error))}\n`);
  return exitCode;
}

/** Determined before parsing, so that usage errors have the right format. */
function wantsEnvelope(name: string, words: readonly string[]): boolean {
  const mode = words.flatMap((word, at) =>
    word === '--mode' ? [words[at + 1]] : word.startsWith('--mode=') ? [word.slice(7)] : [],
  );
  if (words.includes('--json') || mode.includes('tool')) return true;
  return name === 'resume' && mode.length === 0 && !process.stdout.isTTY;
}

/** A closed output pipe is not an error. */
function endQuietlyWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

export async function runPuppy(argv: readonly string[], version: string): Promise<number> {
  endQuietlyWithReader();
  const [name = 'help', ...rest] = argv;
  if (name === 'version' || name === '--version' || name === '-V') {
    process.stdout.write(`${rest.includes('--json') ? JSON.stringify({ version }) : `puppy ${version}`}\n`);
    return 0;
  }
  if (name === 'help' || name === '--help' || name === '-h' || rest.includes('--help')) {
    process.stdout.write(rest.includes('--json') ? `${JSON.stringify({ help })}\n` : help);
    return 0;
  }
  const tool = wantsEnvelope(name, rest);
  try {
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!load) {
      const message = `There is no command ${JSON.stringify(name.slice(0, 80))}.`;
      throw new CommandFailure({ code: 'invalid_input', message, hint: 'Run "puppy help".' }, 2);
    }
    return await (await load())(rest, version);
  } catch (error) {
    if (error instanceof CommandFailure) return tellRefusal(error.error, tool, error.exitCode);
    const message = error instanceof Error ? error.message : String(error);
    return tellRefusal({ code: 'internal', message: `That is a bug in Kennel: ${message}` }, tool, 1);
  }
}
