import { defineCommand } from '../command.ts';
import { exitOk } from '../terminal.ts';

export const versionCommand = defineCommand<{ readonly json?: boolean }>({
  verb: '',
  summary: 'Print the version',
  examples: [
    ['version', 'Print the version'],
    ['version --json', 'Print it as JSON'],
    ['--version', 'Print only the number'],
  ],
  run: async (_args, { json }, version) => {
    process.stdout.write(`${json ? JSON.stringify({ version }) : `kennel ${version}`}\n`);
    return exitOk;
  },
});
