/** The words for what an agent or a line is doing, and what somebody is in a space. */
import type { AgentSummary, Connection, Dot } from '../../contract/model.ts';
import { t, told } from '../../language/texts.ts';
import { visibleLine } from './visible-text.ts';

export const dotWords = (dot: Dot): string => t(`states.dot_${dot}`);

/** What an agent is doing now, in one short phrase. */
export function agentWords(agent: AgentSummary): string {
  if (agent.activity !== '') return told(agent.activity);
  if (agent.life !== 'running') return t(`states.life_${agent.life}`);
  return agent.dot === 'idle' ? t('states.ready') : dotWords(agent.dot);
}

export const connectionWords = (connection: Connection): string => t(`states.line_${connection}`);

/** The roles that there are; whatever else a server says is shown as it is. */
export const roleWords = (role: string): string =>
  role === 'owner' || role === 'admin' || role === 'member' ? t(`states.role_${role}`) : visibleLine(role);

/** Most urgent first; this order also decides the mark in the tab and the rail. */
const urgency: readonly Dot[] = ['needs_you', 'error', 'working', 'idle', 'offline'];

export function overallDot(dots: readonly Dot[]): Dot {
  return urgency.find((dot) => dots.includes(dot)) ?? 'offline';
}

export const byUrgency = (a: Dot, b: Dot): number => urgency.indexOf(a) - urgency.indexOf(b);
