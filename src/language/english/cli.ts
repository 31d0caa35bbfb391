import { cliApprovals } from './cli/approvals.ts';
import { cliStatus } from './cli/status.ts';
import { cliTerminal } from './cli/terminal.ts';

/** English texts of the command line by area. Slots are those of `host-message.ts`. */
export const cliEnglish = { cliApprovals, cliStatus, cliTerminal } as const;
