import { dataFolder } from '../platform/data-folder.ts';
import { buildProgram, type Invocation } from './command-parser.ts';
import { loadLanguage } from './copy.ts';
import { tellFailure } from './failure.ts';
import { helpText } from './help.ts';
import { nouns } from './registry.ts';
import { exitOk, exitUsage } from './terminal.ts';
import { UsageError, usageFailure } from './usage-errors.ts';

/** Prints an error and returns its exit code. */
type Teller = (error: unknown) => number;

/** Programs that run workflows read every result, errors too, as an envelope on standard output. */
async function tellerFor(argv: readonly string[]): Promise<Teller> {
  if (argv[0] !== 'puppy') return (error) => tellFailure(error, argv.includes('--json'));
  const { tellWorkflowFailure } = await import('./puppy/tell-failure.ts');
  return (error) => tellWorkflowFailure(error, argv.slice(1));
}

/** Prints the help or version. Help in place of a missing command goes to standard error. */
async function tellHelp({ parserError, topic }: UsageError, version: string, json: boolean): Promise<number> {
  const isAsked = parserError.exitCode === 0;
  if (parserError.code === 'commander.version') {
    process.stdout.write(`${json ? JSON.stringify({ version }) : version}\n`);
    return exitOk;
  }
  const help = await helpText(topic, !isAsked);
  if (isAsked) process.stdout.write(json ? `${JSON.stringify({ help })}\n` : help);
  else process.stderr.write(help);
  return isAsked ? exitOk : exitUsage;
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
  const invocation: Invocation = { version, json, code: exitOk };
  const program = await buildProgram(argv, invocation, nouns);
  try {
    // "--json" is no name of a command, for which help could be asked.
    const isHelp = argv.slice(0, 2).includes('help');
    await program.parseAsync(isHelp ? argv.filter((word) => word !== '--json') : argv, { from: 'user' });
    return invocation.code;
  } catch (error) {
    if (error instanceof UsageError && error.isHelp) return tellHelp(error, version, json);
    const tell = await tellerFor(argv);
    return tell(error instanceof UsageError ? await usageFailure(error, argv) : error);
  }
}
