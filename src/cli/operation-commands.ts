import type { Command } from 'commander';
import { act, type Exit } from './act.ts';

const bundles = async () => import('./commands/bundles.ts');

/** Sub-commands of `kennel agent`. */
export function addAgentOperations(agent: Command, exit: Exit): void {
  const leave = agent
    .command('export <id> <dest>')
    .description('write an agent to a file: encrypted with its keys (.puffoagent), else without secrets');
  leave
    .option('--passphrase [words]', 'of the encrypted bundle: "-" reads standard input, the flag alone asks')
    .option('--folder', 'a plain folder instead of a zip archive')
    .option('--force', 'replace a file of that name');
  act(leave, exit, async () => (await bundles()).runExport);
  const upkeep = async () => import('./commands/upkeep.ts');
  act(
    agent.command('reset-primer [ids...]').description("put Kennel's own primer back, which all agents read"),
    exit,
    async () => (await upkeep()).runResetPrimer,
  );
  act(
    agent.command('refresh-ping <id>').description('renew the login an agent thinks with'),
    exit,
    async () => (await upkeep()).runRefreshPing,
  );
  act(
    agent.command('register <id>').description('give an agent an identity that yours vouches for'),
    exit,
    async () => (await bundles()).runRegister,
  );
}

export function addOperationCommands(program: Command, exit: Exit): void {
  const come = program
    .command('import <path>')
    .description('take in agents: a bundle, a zip, a folder, a puffo-agent home, or a store of keys');
  come
    .option('--passphrase [words]', 'of an encrypted bundle: "-" reads standard input, the flag alone asks')
    .option('--review', 'only show what it would bring')
    .option('--yes', 'do not ask')
    .option('--only <ids>', 'of several agents only these, separated by commas')
    .option('--as <id>', 'another id for the one agent')
    .option('--trust', 'also take over its permissions, folders and model address')
    .option('--new-identity', 'leave its keys out and give it an identity of its own');
  act(come, exit, async () => (await bundles()).runImport);
  act(
    program.command('backup [folder]').description('copy the whole data folder, also while Kennel runs'),
    exit,
    async () => (await import('./commands/backup.ts')).runBackup,
  );
  const restore = program
    .command('restore <folder>')
    .description('put a backup in the place of the data folder, while Kennel is stopped');
  restore.option('--yes', 'do not ask');
  act(restore, exit, async () => (await import('./commands/backup.ts')).runRestore);
  const logs = program
    .command('logs [agent]')
    .description('what Kennel has written down, of all or of one agent');
  logs
    .option('-f, --follow', 'go on with what comes')
    .option('-n, --lines <number>', 'how many lines', '100');
  act(logs, exit, async () => (await import('./commands/logs.ts')).runLogs);
  act(
    program.command('check-update').description('look whether there is a newer Kennel'),
    exit,
    async () => (await import('./commands/upkeep.ts')).runCheckUpdate,
  );
  addServiceCommands(program, exit);
}

function addServiceCommands(program: Command, exit: Exit): void {
  const service = program
    .command('service')
    .description('start Kennel with your login, also without a display');
  const install = service.command('install').description('as a user service of systemd, or with launchd');
  install
    .option('--print', 'only show what would be written')
    .option('--no-start', 'write it, and leave the start to you');
  act(install, exit, async () => (await import('./commands/service.ts')).runServiceInstall);
  act(
    service.command('remove').description('stop and forget it'),
    exit,
    async () => (await import('./commands/service.ts')).runServiceRemove,
  );
}
