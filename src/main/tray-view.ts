/** What tray and menu show, worked out from the host's state: one icon, one line, one row per agent. */

import type { AgentSummary, Dot, HostView } from '../contract/model.ts';
import { toVisibleLine } from '../contract/visible-text.ts';
import { locale, t, told } from '../language/texts.ts';

export interface TrayInput {
  /** How the app stands with its host. */
  readonly link: 'starting' | 'up' | 'lost' | 'failed';
  /** The process of a host that is not ours. */
  readonly otherPid: number | null;
  /** Null until the host has spoken. */
  readonly host: HostView | null;
  readonly agents: Readonly<Record<string, AgentSummary>>;
  /** A version that is there and waits for a restart. */
  readonly update: string | null;
}

export interface TrayAgentRow {
  readonly id: string;
  readonly label: string;
  readonly dot: Dot;
  /** The one verb that fits its state. */
  readonly verb: 'pause' | 'resume' | null;
  /** It waits for an answer. */
  readonly asks: boolean;
}

export interface TrayView {
  readonly icon: Dot;
  readonly line: string;
  /** Who hosts, where that is not this app; null where it is. */
  readonly hosted: string | null;
  /** "3 waiting for you"; null when nothing does. */
  readonly waiting: string | null;
  readonly agents: readonly TrayAgentRow[];
  /** Those that found no place in the menu itself: they have a submenu. */
  readonly more: readonly TrayAgentRow[];
  readonly pauseAll: boolean;
  readonly resumeAll: boolean;
  /** There is a host to ask for a new agent. */
  readonly newAgent: boolean;
  /** The other host is gone: the app may take its place. */
  readonly hostHere: boolean;
  readonly update: string | null;
}

/** A menu of 15 rows fits small screens; a hundred agents fit a submenu that scrolls. */
const maxRows = 15;
const maxLabel = 60;

/** Most urgent first: whoever waits for the person comes before whatever only failed. */
const urgency: readonly Dot[] = ['needs_you', 'error', 'working', 'idle', 'offline'];

function iconOf({ link, host }: TrayInput, agents: readonly AgentSummary[]): Dot {
  if (link === 'failed') return 'error';
  if (link !== 'up' || host === null) return 'offline';
  if (host.state === 'locked' || host.waiting > 0) return 'needs_you';
  const seen = new Set(agents.map(({ dot }) => dot));
  return urgency.find((dot) => seen.has(dot)) ?? 'offline';
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
    agent.life === 'paused' ? t('tray.paused') : told(agent.activity) || t(`tray.dot_${agent.dot}`);
  // A menu reads & as "underline the next letter".
  const named = t('tray.agent', { name: agent.displayName || agent.id, state });
  const label = shortened(toVisibleLine(named)).replaceAll('&', '&&');
  return { id: agent.id, label, dot: agent.dot, verb: verbOf(agent), asks: agent.waiting > 0 };
}

/** Names keep their places, so that the hand finds them; only who needs the person comes to the top. */
function ordered(agents: Readonly<Record<string, AgentSummary>>): AgentSummary[] {
  const rank = ({ dot }: AgentSummary): number => (dot === 'needs_you' ? 0 : dot === 'error' ? 1 : 2);
  return Object.values(agents).sort(
    (a, b) => rank(a) - rank(b) || a.displayName.localeCompare(b.displayName, locale()),
  );
}

export function trayView(input: TrayInput): TrayView {
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
    hostHere: link === 'lost',
    update: input.update,
  };
}
