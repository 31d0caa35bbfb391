import type { CliCatalog } from '../cli-message.ts';
import { cliStatus } from './cli/status.ts';
import { cliTerminal } from './cli/terminal.ts';

export const cliGerman: CliCatalog = { cliStatus, cliTerminal };
