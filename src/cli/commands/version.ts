import { defineCommand } from '../command.ts';
import { exitOk } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

export const printVersion =
  (program: string) =>
  async (_args: readonly string[], { json }: Json, version: string): Promise<number> => {
    process.stdout.write(`${json ? JSON.stringify({ version }) : `${program} ${version}`}\n`);
    return exitOk;
  };

export const versionCommand = defineCommand({
  verb: '',
  summary: 'Print the version',
  examples: [
    ['version', 'Print the version'],
    ['version --json', 'Print it as JSON'],
    ['--version', 'Print only the number'],
  ],
  run: printVersion('kennel'),
});
