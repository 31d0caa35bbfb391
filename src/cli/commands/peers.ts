import type { PeerView } from '../../contract/identity-methods.ts';
import { withHost } from '../session.ts';
import { askInTerminal, canAsk, exitFailed, exitOk, show, usage } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

const count = (messages: number): string => (messages === 1 ? '1 message' : `${messages} messages`);

function peerText(peer: PeerView): string {
  const name = peer.displayName === peer.slug ? peer.slug : `${peer.slug} (${peer.displayName})`;
  if (peer.state === 'waiting')
    return `${name}  wants to write to you; ${count(peer.messages)} at the server`;
  if (peer.state !== 'changed') return `${name}  ${peer.state}`;
  return [
    `${name}  has another identity key now; ${count(peer.messages)} held back, nothing is sent to them`,
    `  known    ${peer.knownFingerprint}`,
    `  offered  ${peer.offeredFingerprint}`,
  ].join('\n');
}

const holding = (on: boolean | null): string => {
  if (on === null) return 'Your server does not say who may write to you.';
  return on
    ? 'Strangers wait for your yes before they can write to you.'
    : 'Everybody at your server may write to you.';
};

export async function runPeers(_args: readonly string[], flags: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const found = await call('peers.list', {});
    const waits = found.peers.some(({ state }) => state === 'waiting');
    const answer = waits ? ['Answer with "kennel peers allow SLUG" or "kennel peers block SLUG".'] : [];
    const lines = [...found.peers.map(peerText), ...answer, holding(found.holdFirstContact)];
    show(flags.json === true, found, lines.join('\n'));
    return exitOk;
  });
}

interface AcceptFlags extends Json {
  readonly fingerprint?: string;
  readonly yes?: boolean;
}

/** The operator types the complete fingerprint, or confirms the one shown. */
export async function runAccept(args: readonly string[], flags: AcceptFlags): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const { peers } = await call('peers.list', {});
    const peer = peers.find((one) => one.slug === slug && one.state === 'changed');
    if (peer && !flags.json) show(false, null, peerText(peer));
    let fingerprint = flags.fingerprint ?? (flags.yes ? peer?.offeredFingerprint : undefined);
    if (fingerprint === undefined && peer) {
      if (!canAsk())
        throw usage('This needs the fingerprint.', 'Add --fingerprint "…", or --yes after comparing.');
      show(false, null, 'Have them read out theirs ("kennel operator show") by phone or face to face.');
      fingerprint = await askInTerminal('Type the whole fingerprint that is offered: ');
    }
    const { released } = await call('peers.accept', { slug, fingerprint: fingerprint ?? '-' });
    const text = `The new key of ${slug} is theirs from now on. ${count(released)} held back: fetched now.`;
    show(flags.json === true, { slug, released }, text);
    return exitOk;
  });
}

export async function runAllow(args: readonly string[], flags: Json): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const { released } = await call('peers.allow', { slug });
    show(flags.json === true, { released }, `${slug} may write to you. ${count(released)} had waited.`);
    return exitOk;
  });
}

export async function runBlock(args: readonly string[], flags: Json): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    await call('peers.block', { slug });
    show(flags.json === true, {}, `${slug} cannot write to you any more, and is not told.`);
    return exitOk;
  });
}

export async function runForget(args: readonly string[], flags: Json): Promise<number> {
  const slug = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    await call('peers.forget', { slug });
    show(flags.json === true, {}, `${slug} is a stranger again.`);
    return exitOk;
  });
}

export async function runHold(args: readonly string[], flags: Json): Promise<number> {
  const [word = ''] = args;
  if (word !== 'on' && word !== 'off') throw usage('Say "on" or "off".');
  return withHost('running-host', async ({ call }) => {
    await call('peers.holdFirst', { on: word === 'on' });
    const { holdFirstContact } = await call('peers.list', {});
    show(flags.json === true, { holdFirstContact }, holding(holdFirstContact));
    return holdFirstContact === (word === 'on') ? exitOk : exitFailed;
  });
}
