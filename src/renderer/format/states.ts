import type { AgentSummary, Connection, Dot } from '../../contract/model.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from './visible-text.ts';

export const dotWords = (dot: Dot): string => t(`states.dot_${dot}`);

/** Short phrase for an agent's current activity. */
export function agentWords(agent: AgentSummary): string {
  if (agent.activity !== '') return localize(agent.activity);
  if (agent.life !== 'running') return t(`states.life_${agent.life}`);
  return agent.dot === 'idle' ? t('states.ready') : dotWords(agent.dot);
}

export const connectionWords = (connection: Connection): string => t(`states.line_${connection}`);

/** Localizes known roles and shows any other text of the server as it is. */
export const roleWords = (role: string): string =>
  role === 'owner' || role === 'admin' || role === 'member' ? t(`states.role_${role}`) : visibleLine(role);

/** Most urgent first; also decides the icon in the browser's tab and in the rail. */
export const urgency: readonly Dot[] = ['needs_you', 'error', 'working', 'idle', 'offline'];

export function overallDot(dots: readonly Dot[]): Dot {
  // Without agents, nothing is wrong: an empty Kennel is at rest, not offline.
  return urgency.find((dot) => dots.includes(dot)) ?? 'idle';
}

export const byUrgency = (a: Dot, b: Dot): number => urgency.indexOf(a) - urgency.indexOf(b);
