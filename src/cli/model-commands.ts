import type { Command } from 'commander';
import { act, type Exit } from './act.ts';

/** Commands about models: logins at providers, and this host as a model server for other programs. */
export function addModelCommands(program: Command, exit: Exit): void {
  const auth = program.command('auth').description('keys and logins at model providers');
  const login = auth.command('login <provider>').description('log in, or give a key where there is no login');
  login
    .option('--device', 'with a code to type on another machine')
    .option('--api-key [key]', 'a key instead: "-" reads standard input, the flag alone asks');
  act(login, exit, async () => (await import('./commands/auth.ts')).runLogin);
  act(
    auth.command('status').description('which providers there is a key or a login for'),
    exit,
    async () => (await import('./commands/auth.ts')).runStatus,
  );
  act(
    auth.command('logout <provider>').description('end the login and forget the key'),
    exit,
    async () => (await import('./commands/auth.ts')).runLogout,
  );
  const proxy = program.command('proxy').description('let other hosts think through this one');
  act(
    proxy.command('token <name>').description('make a token for another host; shown once'),
    exit,
    async () => (await import('./commands/proxy.ts')).runToken,
  );
  act(
    proxy.command('tokens').description('who has a token'),
    exit,
    async () => (await import('./commands/proxy.ts')).runTokens,
  );
  act(
    proxy.command('revoke <name>').description('take a token back'),
    exit,
    async () => (await import('./commands/proxy.ts')).runRevoke,
  );
}
