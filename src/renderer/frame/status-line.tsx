import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { useAsking } from '../state/asked.ts';
import { useWaiting } from '../state/needs.ts';
import { go } from '../state/route.ts';
import { useAgents, useHost, useLine } from '../state/subscriptions.ts';
import { plural } from '../words/amounts.ts';
import { spendShort, spendWords } from '../words/money.ts';
import { connectionWords } from '../words/states.ts';

/** One quiet line: the host, the server, who works, who waits. */
export function StatusLine() {
  return (
    <footer className="status-line">
      <HostPart />
      <ServerPart />
      <WorkPart />
      <SpendPart />
      <WaitPart />
      <VaultPart />
    </footer>
  );
}

function HostPart() {
  const line = useLine();
  const state = useHost((host) => host?.state ?? 'starting');
  const home = useHost((host) => host?.home ?? '');
  const up = line === 'up' && state === 'ready';
  const words =
    line !== 'up'
      ? 'Kennel is not answering'
      : state === 'ready'
        ? 'Kennel is running'
        : `Kennel is ${state}`;
  return (
    <span className="status-part" title={`Data folder ${home}`}>
      <StateDot state={up ? 'idle' : 'offline'} size={11} label="" />
      {words}
    </span>
  );
}

function ServerPart() {
  const embedded = useHost((host) => host?.relay.embedded ?? false);
  const url = useHost((host) =>
    host?.relay.embedded ? host.relay.url : (host?.operator?.serverUrl ?? null),
  );
  const connection = useHost((host) => host?.operator?.connection ?? 'none');
  const known = useLine() === 'up';
  if (url === null) return <span className="status-part">No server</span>;
  return (
    <span className="status-part is-server" title={url}>
      <Icon name="server" size={13} />
      {embedded ? 'Own server' : hostOf(url)}: {known ? connectionWords(connection) : 'not known now'}
    </span>
  );
}

function WorkPart() {
  const total = useAgents((agents) => Object.keys(agents ?? {}).length);
  const working = useAgents(
    (agents) => Object.values(agents ?? {}).filter((one) => one.dot === 'working').length,
  );
  return (
    <span className="status-part">
      {working > 0 && <StateDot state="working" size={11} label="" />}
      {working === 0
        ? `${plural(total, 'agent')}, none working`
        : `${working} of ${plural(total, 'agent')} working`}
    </span>
  );
}

function SpendPart() {
  const spent = useHost((host) => host?.spentToday ?? null);
  if (spent === null) return null;
  return (
    <span className="status-part is-spend" title={`Today: ${spendWords(spent)}`}>
      Today: {spendShort(spent)}
      {spent.simulated && ' (simulated)'}
    </span>
  );
}

/** Questions first: that is where one click leads to the answer. */
function WaitPart() {
  const waiting = useWaiting();
  const asking = useAsking().length;
  if (waiting === 0) return <span className="status-part is-last">Nothing waits for you</span>;
  return (
    <button
      type="button"
      className="status-part is-last is-amber"
      onClick={() => go(asking > 0 ? { view: 'inbox', id: null } : { view: 'home' })}
    >
      <StateDot state="needs_you" size={11} label="" />
      {waiting} waiting for you
    </button>
  );
}

function VaultPart() {
  const kind = useHost((host) => host?.vault.kind ?? 'none');
  const note = useHost((host) => host?.vault.note ?? '');
  if (kind !== 'demo-file') return null;
  return (
    <button type="button" className="status-part" title={note} onClick={() => go({ view: 'settings' })}>
      <Icon name="lock" size={13} />
      Demo key in a file
    </button>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
