import type { Command } from 'commander';
import { exitOk } from './terminal.ts';

export type CliAction<T> = (args: readonly string[], options: T) => Promise<number | undefined>;

export interface Exit {
  code: number;
}

/** Adapts commander's argument list (arguments, options, command) and stores the exit code. */
export function act<T extends object>(
  command: Command,
  exit: Exit,
  load: () => Promise<CliAction<T>>,
): Command {
  return command.option('--json', 'print JSON').action(async (...all: unknown[]) => {
    const options = all.at(-2) as T;
    const args = all
      .slice(0, -2)
      .flatMap((arg) => (Array.isArray(arg) ? arg.map(String) : [String(arg ?? '')]));
    const run = await load();
    exit.code = (await run(args, options)) ?? exitOk;
  });
}
