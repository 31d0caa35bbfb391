/** What the tray shows, worked out from the host's state: one icon, one line, one row per agent. */
import type { AgentSummary, Dot, HostView } from '../contract/model.ts';

export interface TrayInput {
  /** Null until the host has spoken. */
  readonly host: HostView | null;
  readonly agents: Readonly<Record<string, AgentSummary>>;
}

export interface TrayAgentRow {
  readonly id: string;
  readonly label: string;
  readonly dot: Dot;
  /** The one verb that fits its state. */
  readonly verb: 'pause' | 'resume' | null;
}

export interface TrayView {
  readonly icon: Dot;
  readonly line: string;
  readonly agents: readonly TrayAgentRow[];
  /** Agents that found no row; they are in the window. */
  readonly more: number;
}

const maxRows = 15;
const maxLabel = 60;

const dotWords: Readonly<Record<Dot, string>> = {
  idle: 'idle',
  working: 'working',
  needs_you: 'needs you',
  error: 'failed',
  offline: 'offline',
};

/** The most urgent state first: whoever waits for the person comes before whatever only failed. */
function mostUrgent(agents: readonly AgentSummary[]): Dot {
  const seen = new Set(agents.map(({ dot }) => dot));
  const urgent = (['needs_you', 'error', 'working', 'idle'] as const).find((dot) => seen.has(dot));
  return urgent ?? 'offline';
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function lineOf(host: HostView | null, agents: readonly AgentSummary[]): string {
  if (host === null || host.state === 'starting') return 'Kennel is starting';
  if (host.state === 'stopping') return 'Kennel is stopping';
  if (host.state === 'locked') return 'Locked: open Kennel to enter your passphrase';
  if (agents.length === 0) return 'No agents yet';
  const count = (dot: Dot) => agents.filter((agent) => agent.dot === dot).length;
  const parts = [counted(agents.length, 'agent', 'agents')];
  if (count('working') > 0) parts.push(`${count('working')} working`);
  if (count('needs_you') > 0) parts.push(`${count('needs_you')} waiting for you`);
  if (count('error') > 0) parts.push(`${count('error')} failed`);
  return parts.join(', ');
}

const shortened = (text: string): string => {
  const points = [...text];
  return points.length > maxLabel ? `${points.slice(0, maxLabel - 1).join('')}…` : text;
};

function rowOf(agent: AgentSummary): TrayAgentRow {
  const paused = agent.life === 'paused';
  const state = paused ? 'paused' : agent.activity || dotWords[agent.dot];
  const startable = paused || agent.life === 'gave_up';
  const silent = agent.life === 'broken' || agent.life === 'stopping';
  // A menu reads & as "underline the next letter".
  const label = shortened(`${agent.displayName || agent.id}: ${state}`).replaceAll('&', '&&');
  return { id: agent.id, label, dot: agent.dot, verb: silent ? null : startable ? 'resume' : 'pause' };
}

export function trayView({ host, agents }: TrayInput): TrayView {
  const all = Object.values(agents).sort((a, b) => a.displayName.localeCompare(b.displayName));
  const rows = all.slice(0, maxRows).map(rowOf);
  return { icon: mostUrgent(all), line: lineOf(host, all), agents: rows, more: all.length - rows.length };
}
