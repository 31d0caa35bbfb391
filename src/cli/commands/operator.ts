import { withHost } from '../session.ts';
import { exitOk, secretFlag, show, usage } from '../terminal.ts';

interface SignUpFlags {
  readonly json?: boolean;
  readonly server: string;
  readonly invite: string;
  readonly username: string;
  readonly displayName?: string;
}

export async function runSignUp(_args: readonly string[], flags: SignUpFlags): Promise<number> {
  const inviteCode = await secretFlag(flags.invite);
  if (!inviteCode) throw usage('--invite needs the code you were given.');
  return withHost('running-host', async ({ call }) => {
    const { slug } = await call('setup.signUp', {
      serverUrl: flags.server,
      inviteCode,
      username: flags.username,
      ...(flags.displayName ? { displayName: flags.displayName } : {}),
    });
    show(flags.json === true, { slug }, `You are ${slug} at ${flags.server}.`);
    return exitOk;
  });
}

export async function runShow(_args: readonly string[], flags: { json?: boolean }): Promise<number> {
  return withHost('look', async ({ call }) => {
    const { operator } = await call('host.view', {});
    const text = operator
      ? `${operator.displayName} (${operator.slug}) at ${operator.serverUrl}, ${operator.connection}`
      : 'Nobody yet. Run "kennel start --demo" to try it, or "kennel operator sign-up".';
    show(flags.json === true, { operator }, text);
    return exitOk;
  });
}
