import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inviteLink } from '../../contract/invite-link.ts';
import { dataFolder } from '../../platform/data-folder.ts';
import type { RelayLimits } from '../../relay/limits.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { CommandFailure, commandFailure, exitFailed, exitOk, exitUsage, show } from '../terminal.ts';

interface RelayFlags {
  readonly json?: boolean;
  readonly data?: string;
  readonly listen: string;
  readonly maxAgents?: string;
  readonly maxSpaces?: string;
  readonly maxFiles?: string;
  readonly maxFileMib?: string;
  readonly maxLinkSignUps?: string;
  readonly host?: readonly string[];
}

function numberOf(flag: string, value: string | undefined): number | null {
  if (value === undefined) return null;
  if (!/^\d{1,9}$/.test(value))
    throw commandFailure('invalid_input', 'cliTerminal.takesWholeNumber', { flag });
  return Number(value);
}

/** Only the given quotas; the relay has defaults for the others. */
function quotasOf(flags: RelayFlags): Partial<RelayLimits> {
  const agents = numberOf('--max-agents', flags.maxAgents);
  const spaces = numberOf('--max-spaces', flags.maxSpaces);
  const files = numberOf('--max-files', flags.maxFiles);
  const mib = numberOf('--max-file-mib', flags.maxFileMib);
  const signUps = numberOf('--max-link-sign-ups', flags.maxLinkSignUps);
  return {
    ...(agents === null ? {} : { agentsPerOperator: agents }),
    ...(spaces === null ? {} : { spacesPerOperator: spaces }),
    ...(files === null ? {} : { blobsPerOperator: files }),
    ...(signUps === null ? {} : { signUpsByLinks: signUps }),
    ...(mib === null ? {} : { blobBytesPerOperator: mib * 1024 * 1024 }),
  };
}

function parseListen(listen: string): { host: string; port: number } {
  const at = listen.lastIndexOf(':');
  const host = listen.slice(0, at).replace(/^\[|\]$/g, '');
  const port = Number(listen.slice(at + 1));
  if (at < 1 || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw commandFailure('invalid_input', 'cliRelay.listenForm');
  return { host, port };
}

/** Names as in a Host header; `null` if none was given. */
function hostsOf(names: readonly string[] | undefined): readonly string[] | null {
  if (names === undefined || names.length === 0) return null;
  return names.map((name) => {
    const url = URL.parse(`http://${name}`);
    if (!url || url.host === '' || `http://${url.host}/` !== url.href)
      throw commandFailure('invalid_input', 'cliRelay.hostForm', { name });
    // Clients omit the default port of TLS.
    return url.host.replace(/:443$/, '');
  });
}

const defaultData = (): string => join(dataFolder(process.env), 'team-relay');

/** `kennel relay`: a team server in the foreground. */
async function runRelay(_args: readonly string[], flags: RelayFlags): Promise<number> {
  const dataDir = resolve(flags.data ?? defaultData());
  const hosts = hostsOf(flags.host);
  const { startTeamRelay } = await import('../../host/relay/team-relay.ts');
  const started = await startTeamRelay({
    dataDir,
    listen: parseListen(flags.listen),
    limits: quotasOf(flags),
    ...(hosts ? { hosts } : {}),
  });
  if (!started.ok)
    throw new CommandFailure(started.error, started.error.code === 'invalid_input' ? exitUsage : exitFailed);
  const relay = started.value;
  const invite =
    dataDir === defaultData() ? copy('cliRelay.inviteHere') : copy('cliRelay.inviteIn', { folder: dataDir });
  const text = copy('cliRelay.listening', { url: relay.url, folder: dataDir, invite });
  show(flags.json === true, { url: relay.url, dataDir }, text);
  await new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => done());
  });
  await relay.stop();
  return exitOk;
}

/** For the given folder, else the team relay of this home, else the relay inside the running host. */
async function runInvite(
  _args: readonly string[],
  flags: { json?: boolean; data?: string },
): Promise<number> {
  const { mintRelayInvite, teamRelayStore } = await import('../../host/relay/team-relay.ts');
  const usual = defaultData();
  const dataDir = flags.data === undefined ? usual : resolve(flags.data);
  if (flags.data === undefined && !existsSync(teamRelayStore(usual))) {
    return withHost('running-host', async ({ call }) => {
      const invite = await call('relay.invite', {});
      const { code, url, validForDays } = invite;
      const link = inviteLink({ serverUrl: url, inviteCode: code });
      show(
        flags.json === true,
        { ...invite, link },
        copy('cliRelay.forUrl', { code, url, days: validForDays, link }),
      );
      return exitOk;
    });
  }
  const code = await mintRelayInvite(dataDir);
  if (!code.ok) throw new CommandFailure(code.error, exitFailed);
  show(
    flags.json === true,
    { code: code.value, dataDir },
    copy('cliRelay.forRelayIn', { code: code.value, folder: dataDir }),
  );
  return exitOk;
}

const relay = defineCommand({
  verb: '',
  options: [
    { flags: '--data <folder>' },
    { flags: '--listen <host:port>', fallback: '127.0.0.1:63390' },
    {
      flags: '--host <name>',
      isRepeatable: true,
    },
    { flags: '--max-agents <number>' },
    { flags: '--max-spaces <number>' },
    { flags: '--max-files <number>' },
    { flags: '--max-file-mib <number>' },
    {
      flags: '--max-link-sign-ups <number>',
    },
  ],
  examples: ['relay', 'relay --listen 0.0.0.0:63390 --host chat.example.org', 'relay invite'],
  run: runRelay,
});

const invite = defineCommand({
  verb: 'invite',
  options: [{ flags: '--data <folder>' }],
  examples: ['relay invite', 'relay invite --data /srv/relay', "relay invite --json | jq -r '.code'"],
  run: runInvite,
});

export const relayCommands: readonly CommandSpec[] = [relay, invite];
