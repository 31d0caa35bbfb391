/** All German texts that a command may print: its own and those of the host. */
import { cliGerman } from './cli.ts';
import { hostGerman } from './host.ts';

export const germanOfCommands = { ...hostGerman, ...cliGerman };
