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
  examples: ['version', 'version --json', '--version'],
  run: printVersion('kennel'),
});
