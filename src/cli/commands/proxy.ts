import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText } from '../table.ts';
import { exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
}

async function runToken(args: readonly string[], flags: Flags): Promise<number> {
  const [name = ''] = args;
  return withHost('files', async ({ call }) => {
    const { token, url } = await call('proxy.newToken', { name });
    const text = [
      token,
      '',
      copy('cliProxy.onlyNow'),
      `  kennel agent runtime ID --provider kennel-proxy --base-url ${url} --api-key -`,
      copy('cliProxy.hereSettings', { open: '{', close: '}' }),
    ];
    show(flags.json === true, { token, url }, text.join('\n'));
    return exitOk;
  });
}

async function runTokens(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const { tokens } = await call('proxy.tokens', {});
    const rows = tokens.map(({ name, createdAt }) => [name, new Date(createdAt).toLocaleString()]);
    show(
      flags.json === true,
      { tokens },
      rows.length === 0
        ? copy('cliProxy.noTokens')
        : columnsText([copy('cliHeads.name'), copy('cliHeads.since')], rows),
    );
    return exitOk;
  });
}

async function runRevoke(args: readonly string[], flags: Flags): Promise<number> {
  const [name = ''] = args;
  return withHost('files', async ({ call }) => {
    await call('proxy.revoke', { name });
    show(flags.json === true, {}, copy('cliProxy.revoked', { name }));
    return exitOk;
  });
}

const token = defineCommand({
  verb: 'token',
  args: '<name>',
  examples: ['proxy token laptop', 'proxy token laptop --json', 'proxy revoke laptop'],
  run: runToken,
});

const tokens = defineCommand({
  verb: 'tokens',
  examples: ['proxy tokens', 'proxy tokens --json', 'proxy revoke laptop'],
  run: runTokens,
});

const revoke = defineCommand({
  verb: 'revoke',
  args: '<name>',
  examples: ['proxy revoke laptop', 'proxy tokens', 'proxy revoke laptop --json'],
  run: runRevoke,
});

export const proxyCommands: readonly CommandSpec[] = [token, tokens, revoke];
