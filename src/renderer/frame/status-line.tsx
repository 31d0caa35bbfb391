import { spendWords, todayWords } from '../../language/money.ts';
import { localize, t } from '../../language/texts.ts';
import { connectionWords } from '../format/states.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { useQueueLength } from '../state/queue.ts';
import { go } from '../state/route.ts';
import { useAgents, useHost, useLine } from '../state/subscriptions.ts';
import { useTasksView } from '../tasks/use-tasks.ts';

export function StatusLine() {
  return (
    <footer className="status-line">
      <HostPart />
      <ServerPart />
      <WorkPart />
      <TasksPart />
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
  const words = line === 'up' ? t(`frame.host_${state}`) : t('frame.notAnswering');
  return (
    <span className="status-part" title={t('frame.dataFolder', { home: visibleLine(home) })}>
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
  if (url === null) return <span className="status-part">{t('frame.noServer')}</span>;
  return (
    <span className="status-part is-server" title={url}>
      <Icon name="server" size={13} />
      {t('frame.server', {
        server: embedded ? t('frame.ownServer') : visibleLine(hostOf(url)),
        state: known ? connectionWords(connection) : t('frame.notKnown'),
      })}
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
      {t('frame.working', { total, working })}
    </span>
  );
}

/** Renders nothing if no task is running or pending. */
function TasksPart() {
  const running = useTasksView((view) => view?.counts.running ?? 0);
  const open = useTasksView((view) => view?.counts.pending ?? 0);
  if (running + open === 0) return null;
  return (
    <button type="button" className="status-part is-tasks" onClick={() => go({ view: 'work', place: null })}>
      {t('tasks.statusLine', { running, open })}
    </button>
  );
}

function SpendPart() {
  const spent = useHost((host) => host?.spentToday ?? null);
  if (spent === null) return null;
  return (
    <span className="status-part is-spend" title={t('frame.today', { cost: spendWords(spent) })}>
      {todayWords(spent)}
    </span>
  );
}

function WaitPart() {
  const waiting = useQueueLength();
  if (waiting === 0) return <span className="status-part is-last">{t('frame.nothingWaits')}</span>;
  return (
    <button
      type="button"
      className="status-part is-last is-amber"
      onClick={() => go({ view: 'inbox', id: null })}
    >
      <StateDot state="needs_you" size={11} label="" />
      {t('frame.waiting', { count: waiting })}
    </button>
  );
}

function VaultPart() {
  const kind = useHost((host) => host?.vault.kind ?? 'none');
  const note = useHost((host) => host?.vault.note ?? '');
  if (kind !== 'demo-file') return null;
  return (
    <button
      type="button"
      className="status-part"
      title={localize(note)}
      onClick={() => go({ view: 'settings', section: 'security' })}
    >
      <Icon name="lock" size={13} />
      {t('frame.demoKeyShort')}
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
