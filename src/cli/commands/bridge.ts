import type { BridgeStatus } from '../../contract/bridge.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { flatLines } from '../table.ts';
import { exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
  readonly device?: string;
  readonly tcp?: boolean;
}

const time = (at: number): string => new Date(at).toLocaleString();

const pairedText = ({ paired }: BridgeStatus): string =>
  paired
    ? copy('cliBridge.paired', {
        slug: paired.slug,
        device: paired.deviceId,
        time: time(paired.pairedAt),
      })
    : copy('cliBridge.unpaired');

function windowText({ window }: BridgeStatus): readonly string[] {
  if (!window) return [];
  const { device, code, failures: failed } = window;
  const until = time(window.until);
  const open =
    device === null
      ? copy('cliBridge.open', { time: until, code })
      : copy('cliBridge.openFor', { device, time: until });
  return [failed > 0 ? `${open} ${copy('cliBridge.tries', { failed })}` : open];
}

async function runPairingShow(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const status = await call('bridge.status', {});
    const { paired, window } = status;
    const text = [pairedText(status), ...windowText(status)].join('\n');
    show(flags.json === true, { paired, window }, text);
    return exitOk;
  });
}

async function runPairingOpen(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { device } = flags;
    const opened = await call('bridge.openPairing', device === undefined ? {} : { device });
    const text = [
      copy('cliBridge.mayPair', { url: opened.url, time: time(opened.until) }),
      device === undefined
        ? copy('cliBridge.codeIs', { code: opened.code })
        : copy('cliBridge.onlyDevice', { device }),
      copy('cliBridge.showsWho'),
    ];
    show(flags.json === true, opened, text.join('\n'));
    return exitOk;
  });
}

async function runPairingUnpair(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('files', async ({ call }) => {
    const { slug } = await call('bridge.unpair', {});
    const text = slug === null ? copy('cliBridge.nonePaired') : copy('cliBridge.unpairedSlug', { slug });
    show(flags.json === true, { slug }, text);
    return exitOk;
  });
}

async function runApiStatus(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const status = await call('bridge.status', {});
    const where =
      status.url === null
        ? copy('cliBridge.silent', { why: status.note })
        : copy('cliBridge.listens', { url: status.url });
    show(flags.json === true, status, [where, pairedText(status), ...windowText(status)].join('\n'));
    return exitOk;
  });
}

async function runApiData(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = ''] = args;
  return withHost('running-host', async ({ call }) => {
    const access = await call('agents.dataAccess', { agent, tcp: flags.tcp === true });
    const way =
      access.url === '' ? `curl --unix-socket ${access.socket} http://localhost` : `curl ${access.url}`;
    const text = [
      ...flatLines([
        access.url === ''
          ? [copy('cliBridge.socket'), access.socket]
          : [copy('cliBridge.address'), access.url],
        [copy('cliBridge.token'), access.token],
      ]),
      '',
      copy('cliBridge.dataGood'),
      `  ${way}/v1/data/${agent}/channels/roots?channel=ID -H "Authorization: Bearer TOKEN"`,
    ];
    show(flags.json === true, access, text.join('\n'));
    return exitOk;
  });
}

const showPairing = defineCommand({
  verb: 'show',
  examples: ['pairing show', 'pairing show --json', 'pairing unpair'],
  run: runPairingShow,
});

const openPairing = defineCommand({
  verb: 'open',
  options: [{ flags: '--device <id>' }],
  examples: ['pairing open', 'pairing open --device DEVICE', 'pairing open --json'],
  run: runPairingOpen,
});

const unpair = defineCommand({
  verb: 'unpair',
  examples: ['pairing unpair', 'pairing show', 'pairing unpair --json'],
  run: runPairingUnpair,
});

export const pairingCommands: readonly CommandSpec[] = [showPairing, openPairing, unpair];

const apiStatus = defineCommand({
  verb: 'status',
  examples: ['api status', 'api status --json', "api status --json | jq -r '.url'"],
  run: runApiStatus,
});

const apiData = defineCommand({
  verb: 'data',
  args: '<agent>',
  options: [{ flags: '--tcp' }],
  examples: ['api data guide', 'api data guide --tcp', 'api data guide --json'],
  run: runApiData,
});

export const apiCommands: readonly CommandSpec[] = [apiStatus, apiData];
