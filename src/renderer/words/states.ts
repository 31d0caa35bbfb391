/** The words for what an agent, a line or a mark is doing. */
import type { AgentMark, AgentSummary, Connection, Dot } from '../../contract/model.ts';
import { reasonWords } from '../../contract/reasons.ts';

export const dotWords: Readonly<Record<Dot, string>> = {
  idle: 'idle',
  working: 'working',
  needs_you: 'needs you',
  error: 'failed',
  offline: 'offline',
};

/** What an agent is doing now, in one short phrase. */
export function agentWords(agent: AgentSummary): string {
  if (agent.activity !== '') return agent.activity;
  switch (agent.life) {
    case 'starting':
      return 'starting';
    case 'paused':
      return 'paused';
    case 'not_connected':
      return 'not connected to a server yet';
    case 'backing_off':
      return 'failed, will try again';
    case 'gave_up':
      return 'gave up, waits for you';
    case 'stopping':
      return 'stopping';
    case 'broken':
      return 'its settings cannot be read';
    case 'running':
      return agent.dot === 'idle' ? 'ready' : dotWords[agent.dot];
  }
}

export const connectionWords: Readonly<Record<Connection, string>> = {
  none: 'not connected',
  connecting: 'connecting',
  online: 'connected',
  offline: 'offline',
  blocked: 'stopped for safety',
};

/** A message that was a word to the host, and was taken as such. */
const silentWords: Readonly<Record<string, string>> = {
  consent: 'took it as your answer',
  stop: 'stopped',
  continue: 'goes on',
};

/** What follows the name, which stands apart so that its direction cannot turn the sentence around. */
export function markWords(mark: AgentMark): string {
  const reason = reasonWords(mark.reason);
  const because = reason === '' ? '' : `: ${reason}`;
  switch (mark.state) {
    case 'queued':
      return 'will look at this next';
    case 'working':
      return 'is working on it';
    case 'done':
      return 'answered';
    case 'failed':
      return `could not answer${because}`;
    case 'silent':
      return (
        silentWords[mark.reason] ??
        (mark.reason.startsWith('stopped: ') ? `was ${mark.reason}` : `stayed silent${because}`)
      );
  }
}

/** Most urgent first; this order also decides the mark in the tab and the rail. */
const urgency: readonly Dot[] = ['needs_you', 'error', 'working', 'idle', 'offline'];

export function overallDot(dots: readonly Dot[]): Dot {
  return urgency.find((dot) => dots.includes(dot)) ?? 'offline';
}

export const byUrgency = (a: Dot, b: Dot): number => urgency.indexOf(a) - urgency.indexOf(b);
