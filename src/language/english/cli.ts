import { cliStatus } from './cli/status.ts';
import { cliTerminal } from './cli/terminal.ts';

/** English texts of the command line by area. Slots are those of `host-message.ts`. */
export const cliEnglish = { cliStatus, cliTerminal } as const;
