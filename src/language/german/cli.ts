import type { CliCatalog } from '../cli-message.ts';
import { cliApprovals } from './cli/approvals.ts';
import { cliStatus } from './cli/status.ts';
import { cliTerminal } from './cli/terminal.ts';

export const cliGerman: CliCatalog = { cliApprovals, cliStatus, cliTerminal };
