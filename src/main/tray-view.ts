/** Computes the content of tray and menu from the host's state: one icon, one line, one row per agent. */

import type { AgentSummary, Dot, HostView } from '../contract/model.ts';
import { toVisibleLine } from '../contract/visible-text.ts';
import { todayWords } from '../language/money.ts';
import { locale, localize, t } from '../language/texts.ts';

export interface TrayInput {
  /** State of the link to the host. */
  readonly link: 'starting' | 'up' | 'lost' | 'failed';
  /** Process id of a host that is not the app's own, or `null`. */
  readonly otherPid: number | null;
  /** `null` until the first snapshot. */
  readonly host: HostView | null;
  readonly agents: Readonly<Record<string, AgentSummary>>;
  /** Downloaded version that waits for a restart, or `null`. */
  readonly update: string | null;
  /** The window is locked: the tray shows neither names nor counts. */
  readonly isLocked: boolean;
}

/** Before the app is linked to a host. */
export const startingInput: TrayInput = {
  link: 'starting',
  otherPid: null,
  host: null,
  agents: {},
  update: null,
  isLocked: false,
};

export interface TrayAgentRow {
  readonly id: string;
  readonly label: string;
  readonly dot: Dot;
  /** The action that fits the agent's state, or `null`. */
  readonly verb: 'pause' | 'resume' | null;
  /** The agent waits for an answer. */
  readonly asks: boolean;
}

export interface TrayView {
  readonly icon: Dot;
  readonly line: string;
  /** Names the other process that runs the host; `null` if it is this app. */
  readonly hosted: string | null;
  /** For example "3 waiting for you"; `null` if none. */
  readonly waiting: string | null;
  readonly agents: readonly TrayAgentRow[];
  /** Agents beyond the menu's rows, shown in a submenu. */
  readonly more: readonly TrayAgentRow[];
  readonly pauseAll: boolean;
  readonly resumeAll: boolean;
  /** A host is running that can create an agent. */
  readonly newAgent: boolean;
  /** An agent can be asked. */
  readonly canAsk: boolean;
  /** The other host has stopped, so the app may start its own. */
  readonly hostHere: boolean;
  readonly update: string | null;
  /** Spending of today, or `null` if nothing was spent. */
  readonly spent: string | null;
  readonly canLock: boolean;
}

/** 15 rows fit small screens; the submenu scrolls. */
const maxRows = 15;
const maxLabel = 60;

/** Most urgent first: an agent that waits for the operator comes before a failed one. */
const urgency: readonly Dot[] = ['needs_you', 'error', 'working', 'idle', 'offline'];

function iconOf({ link, host }: TrayInput, agents: readonly AgentSummary[]): Dot {
  if (link === 'failed') return 'error';
  if (link !== 'up' || host === null) return 'offline';
  if (host.state === 'locked' || host.waiting > 0) return 'needs_you';
  const seen = new Set(agents.map(({ dot }) => dot));
  return urgency.find((dot) => seen.has(dot)) ?? 'idle';
}

function lineOf({ link, host }: TrayInput, agents: readonly AgentSummary[]): string {
  if (link === 'failed') return t('tray.failed');
  if (link === 'lost') return t('tray.lost');
  if (link === 'starting' || host === null || host.state === 'starting') return t('tray.starting');
  if (host.state === 'stopping') return t('tray.stopping');
  if (host.state === 'locked') return t('tray.locked');
  if (agents.length === 0) return t('tray.noAgents');
  const count = (dot: Dot) => agents.filter((agent) => agent.dot === dot).length;
  return t('tray.count', {
    agents: agents.length,
    working: count('working'),
    waiting: host.waiting,
    failed: count('error'),
  });
}

const shortened = (text: string): string => {
  const points = [...text];
  return points.length > maxLabel ? `${points.slice(0, maxLabel - 1).join('')}…` : text;
};

function verbOf(agent: AgentSummary): TrayAgentRow['verb'] {
  if (agent.life === 'broken' || agent.life === 'stopping') return null;
  return agent.life === 'paused' || agent.life === 'gave_up' ? 'resume' : 'pause';
}

function rowOf(agent: AgentSummary): TrayAgentRow {
  const state =
    agent.life === 'paused' ? t('tray.paused') : localize(agent.activity) || t(`tray.dot_${agent.dot}`);
  // Menus treat `&` as the mark of an access key.
  const named = t('tray.agent', { name: agent.displayName || agent.id, state });
  const label = shortened(toVisibleLine(named)).replaceAll('&', '&&');
  return { id: agent.id, label, dot: agent.dot, verb: verbOf(agent), asks: agent.waiting > 0 };
}

/** Sorted by name, so that rows keep their position; only agents that need the operator move to the top. */
function ordered(agents: Readonly<Record<string, AgentSummary>>): AgentSummary[] {
  const rank = ({ dot }: AgentSummary): number => (dot === 'needs_you' ? 0 : dot === 'error' ? 1 : 2);
  return Object.values(agents).sort(
    (a, b) => rank(a) - rank(b) || a.displayName.localeCompare(b.displayName, locale()),
  );
}

const lockedView = (): TrayView => ({
  icon: 'idle',
  line: t('tray.windowLocked'),
  hosted: null,
  waiting: null,
  agents: [],
  more: [],
  pauseAll: false,
  resumeAll: false,
  newAgent: false,
  canAsk: false,
  hostHere: false,
  update: null,
  spent: null,
  canLock: false,
});

function spentText(host: HostView): string | null {
  const { tokens, usd } = host.spentToday;
  return tokens === 0 && (usd ?? 0) === 0 ? null : todayWords(host.spentToday);
}

export function trayView(input: TrayInput): TrayView {
  if (input.isLocked) return lockedView();
  const { link, otherPid, host } = input;
  const all = ordered(input.agents);
  const rows = all.map(rowOf);
  const up = link === 'up' && host?.state === 'ready';
  return {
    icon: iconOf(input, all),
    line: lineOf(input, all),
    hosted: otherPid === null || link !== 'up' ? null : t('tray.hosted', { pid: String(otherPid) }),
    waiting: link === 'up' && host && host.waiting > 0 ? t('tray.waiting', { count: host.waiting }) : null,
    agents: rows.slice(0, maxRows),
    more: rows.slice(maxRows),
    pauseAll: up && rows.some(({ verb }) => verb === 'pause'),
    resumeAll: up && rows.some(({ verb }) => verb === 'resume'),
    newAgent: up && host.firstRun === false,
    canAsk: up && all.length > 0,
    hostHere: link === 'lost',
    update: input.update,
    spent: link === 'up' && host ? spentText(host) : null,
    canLock: host !== null && host.firstRun === false,
  };
}
