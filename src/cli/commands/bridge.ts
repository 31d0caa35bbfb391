import type { BridgeStatus } from '../../contract/bridge.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
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
      `One device may pair at ${opened.url} until ${time(opened.until)}.`,
      device === undefined ? `It has to send this code: ${opened.code}` : `Only ${device} may.`,
      '"kennel pairing show" tells who came.',
    ];
    show(flags.json === true, opened, text.join('\n'));
    return exitOk;
  });
}

async function runPairingUnpair(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('files', async ({ call }) => {
    const { slug } = await call('bridge.unpair', {});
    const text =
      slug === null ? 'No device was paired.' : `The device of ${slug} may do nothing here any more.`;
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
      access.url === '' ? `Socket  ${access.socket}` : `Address ${access.url}`,
      `Token   ${access.token}`,
      '',
      'Good until Kennel stops, for the messages of this agent alone, e.g.',
      `  ${way}/v1/data/${agent}/channels/roots?channel=ID -H "Authorization: Bearer TOKEN"`,
    ];
    show(flags.json === true, access, text.join('\n'));
    return exitOk;
  });
}

const showPairing = defineCommand({
  verb: 'show',
  summary: 'Show the paired device',
  examples: [
    ['pairing show', 'Show which device is paired'],
    ['pairing show --json', 'Print it as JSON'],
    ['pairing unpair', 'End the pairing'],
  ],
  run: runPairingShow,
});

const openPairing = defineCommand({
  verb: 'open',
  summary: 'Allow one device to pair for five minutes',
  options: [{ flags: '--device <id>', summary: 'only this device; for clients that cannot send the code' }],
  examples: [
    ['pairing open', 'Print the code for a device'],
    ['pairing open --device DEVICE', 'Allow a certain device'],
    ['pairing open --json', 'Print address and code as JSON'],
  ],
  run: runPairingOpen,
});

const unpair = defineCommand({
  verb: 'unpair',
  summary: 'End the pairing',
  examples: [
    ['pairing unpair', 'End the pairing'],
    ['pairing show', 'See the paired device first'],
    ['pairing unpair --json', 'Print the handle as JSON'],
  ],
  run: runPairingUnpair,
});

export const pairingCommands: readonly CommandSpec[] = [showPairing, openPairing, unpair];

const apiStatus = defineCommand({
  verb: 'status',
  summary: 'Show where the bridge listens, and for which device',
  examples: [
    ['api status', 'Show the state of the bridge'],
    ['api status --json', 'Print it as JSON'],
    ["api status --json | jq -r '.url'", 'Print only its address'],
  ],
  run: runApiStatus,
});

const apiData = defineCommand({
  verb: 'data',
  args: '<agent>',
  summary: 'Print how a tool can read the messages of an agent',
  options: [{ flags: '--tcp', summary: 'on a port of this computer instead of a Unix socket' }],
  examples: [
    ['api data guide', 'Print socket and token'],
    ['api data guide --tcp', 'Print address and token'],
    ['api data guide --json', 'Print them as JSON'],
  ],
  run: runApiData,
});

export const apiCommands: readonly CommandSpec[] = [apiStatus, apiData];
