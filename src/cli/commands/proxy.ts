import { withHost } from '../session.ts';
import { exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
}

export async function runToken(args: readonly string[], flags: Flags): Promise<number> {
  const [name = ''] = args;
  return withHost('files', async ({ call }) => {
    const { token, url } = await call('proxy.newToken', { name });
    const text = [
      token,
      '',
      'This is the only time it is shown. On the other host:',
      `  kennel agent runtime ID --provider kennel-proxy --base-url ${url} --api-key -`,
      'Here, daemon.yml has to say "stream_proxy: {enabled: true}". From another machine, come through an SSH tunnel.',
    ];
    show(flags.json === true, { token, url }, text.join('\n'));
    return exitOk;
  });
}

export async function runTokens(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const { tokens } = await call('proxy.tokens', {});
    const lines = tokens.map(
      ({ name, createdAt }) => `${name.padEnd(30)}since ${new Date(createdAt).toLocaleString()}`,
    );
    show(flags.json === true, { tokens }, lines.length === 0 ? 'No tokens.' : lines.join('\n'));
    return exitOk;
  });
}

export async function runRevoke(args: readonly string[], flags: Flags): Promise<number> {
  const [name = ''] = args;
  return withHost('files', async ({ call }) => {
    await call('proxy.revoke', { name });
    show(flags.json === true, {}, `The token "${name}" is worth nothing any more.`);
    return exitOk;
  });
}
