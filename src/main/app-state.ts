/** State of the app's host, from its feed, for the tray, the window and the quit dialog. */
import type { DesktopView } from '../contract/desktop-methods.ts';
import type { AgentSummary, HostView } from '../contract/model.ts';
import type { RunsView } from '../contract/workflow-methods.ts';
import { followTopic } from './follow-topic.ts';
import type { LinkedHost } from './linked-host.ts';
import { startingInput, type TrayInput } from './tray-view.ts';

export interface AppState {
  tray(): TrayInput;
  host(): DesktopView['host'];
  /** Number of agents in a turn or task, and of active workflow runs, that would stop with this app. */
  working(): number;
  /** Follows a newly linked host and ends the feeds of the previous one. */
  follow(host: LinkedHost): void;
  failed(): void;
  updateReady(version: string): void;
  setLocked(isLocked: boolean): void;
}

export function createAppState(onChange: (input: TrayInput) => void, onReady: () => void): AppState {
  let linked: LinkedHost | null = null;
  let stops: readonly (() => void)[] = [];
  let running = 0;
  let input = startingInput;

  const show = (change: Partial<TrayInput>): void => {
    input = { ...input, ...change };
    onChange(input);
  };
  const otherPid = (): number | null => (linked?.by === 'other' ? linked.pid() : null);
  const showHost = (host: HostView): void => {
    if (host.state === 'ready' || host.state === 'locked') onReady();
    show({ host });
  };
  const countRuns = ({ runs }: RunsView): void => {
    running = Object.values(runs).filter(({ status }) => status === 'running').length;
  };
  const showAgents = (agents: Readonly<Record<string, AgentSummary>>): void => show({ agents });

  return {
    tray: () => input,
    host: () => ({ by: linked?.by ?? 'app', state: input.link, pid: linked?.pid() ?? null }),
    working: () =>
      linked?.by === 'app'
        ? Object.values(input.agents).filter(({ dot }) => dot === 'working').length + running
        : 0,
    follow(host) {
      for (const stop of stops) stop();
      linked = host;
      host.onState((link) =>
        show({ link, otherPid: otherPid(), agents: link === 'lost' ? {} : input.agents }),
      );
      show({ link: 'up', otherPid: otherPid(), host: null, agents: {} });
      running = 0;
      stops = [
        followTopic(host, 'host', showHost),
        followTopic(host, 'agents', showAgents),
        followTopic(host, 'runs', countRuns),
      ];
    },
    failed: () => show({ link: 'failed' }),
    updateReady: (update) => show({ update }),
    setLocked: (isLocked) => show({ isLocked }),
  };
}
