import { dataFolder } from '../platform/data-folder.ts';
import { loadLanguage } from './copy.ts';
import { tellFailure } from './failure.ts';
import { buildProgram, type Invocation } from './program.ts';
import { nouns } from './registry.ts';
import { CommandFailure, exitOk, exitUsage } from './terminal.ts';
import { UsageError, usageFailure } from './usage-errors.ts';

/** Prints an error and returns its exit code. */
type Teller = (error: unknown) => number;

/** Programs that run workflows read every result, errors too, as an envelope on standard output. */
async function tellerFor(argv: readonly string[]): Promise<Teller> {
  if (argv[0] !== 'puppy') return (error) => tellFailure(error, argv.includes('--json'));
  const { tellWorkflowFailure } = await import('./puppy/tell-failure.ts');
  return (error) => tellWorkflowFailure(error, argv.slice(1));
}

/** Runs one command and returns the exit code: 0 done, 1 failed, 2 wrong usage or unknown agent. */
export async function runMain(argv: readonly string[], version: string): Promise<number> {
  if (argv.slice(0, 2).includes('__complete')) {
    const { printCandidates } = await import('./completion/candidates.ts');
    await printCandidates(argv, dataFolder(process.env));
    return exitOk;
  }
  await loadLanguage(process.env);
  const json = argv.includes('--json');
  const invocation: Invocation = { version, json, help: '', code: exitOk };
  const program = await buildProgram(argv, invocation, nouns);
  try {
    // "--json" is no name of a command, for which help could be asked.
    const isHelp = argv.slice(0, 2).includes('help');
    await program.parseAsync(isHelp ? argv.filter((word) => word !== '--json') : argv, { from: 'user' });
    return invocation.code;
  } catch (error) {
    const tell = await tellerFor(argv);
    if (!(error instanceof UsageError)) return tell(error);
    if (error.parserError.exitCode === 0) {
      if (json) process.stdout.write(`${JSON.stringify({ help: invocation.help })}\n`);
      return exitOk;
    }
    // Help was printed in place of a missing command.
    if (error.parserError.code === 'commander.help') return exitUsage;
    return tell(new CommandFailure(await usageFailure(error, argv), exitUsage));
  }
}
