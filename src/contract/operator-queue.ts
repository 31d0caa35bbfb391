/**
 * The operator's one queue. The host computes its length for tray and `kennel status`, the window its items
 * for inbox, Home and status line; both call this function, so the counts cannot differ.
 */
import type { Approval } from './approvals.ts';
import type { AgentSummary, Problem } from './model.ts';
import type { Brake } from './work.ts';

export interface QueueInput {
  readonly approvals: Readonly<Record<string, Approval>>;
  readonly agents: Readonly<Record<string, AgentSummary>>;
  readonly brakes: readonly Brake[];
  readonly problems: readonly Problem[];
  /** Ids of open invitations to the operator. */
  readonly invites: readonly string[];
  /** ms since the epoch, to leave out snoozed approvals. */
  readonly now: number;
}

/** Why an agent is in the queue. */
export type AgentTrouble = 'settings' | 'stopped' | 'waits';

export type QueueItem =
  | { readonly kind: 'approval'; readonly key: string; readonly approval: Approval }
  | { readonly kind: 'brake'; readonly key: string; readonly brake: Brake }
  | {
      readonly kind: 'agent';
      readonly key: string;
      readonly agent: AgentSummary;
      readonly trouble: AgentTrouble;
    }
  | { readonly kind: 'problem'; readonly key: string; readonly problem: Problem }
  | { readonly kind: 'invite'; readonly key: string; readonly invite: string };

/** A snoozed approval asks for no attention until its time. */
export const isCalling = ({ quietUntil }: Pick<Approval, 'quietUntil'>, now: number): boolean =>
  quietUntil === null || quietUntil <= now;

function troubleOf(agent: AgentSummary): AgentTrouble | null {
  if (agent.configError !== null) return 'settings';
  if (agent.life === 'gave_up' || agent.life === 'broken' || agent.dot === 'error') return 'stopped';
  // Its own approvals are items already.
  return agent.dot === 'needs_you' && agent.waiting === 0 ? 'waits' : null;
}

/** One cause is one item: the approval or the problem stands for the agent that it stops. */
function isRepeated(agent: AgentSummary, problems: readonly Problem[]): boolean {
  const said = agent.error?.message;
  return said !== undefined && problems.some(({ message }) => message === said);
}

/** A question about raising a budget stands for the problem that reports the budget. */
function isAsked({ about }: Problem, asking: readonly Approval[]): boolean {
  if (about?.kind !== 'budget') return false;
  return asking.some(
    ({ kind, agentId }) => kind === 'spending' && (about.agentId === null || about.agentId === agentId),
  );
}

/** Approvals first, oldest first; then failures, then everything else. Notes without an action are left out. */
export function queueItems(input: QueueInput): readonly QueueItem[] {
  const asking = Object.values(input.approvals)
    .filter((approval) => isCalling(approval, input.now))
    .sort((a, b) => a.createdAt - b.createdAt || a.id.localeCompare(b.id));
  const problems = input.problems.filter(
    (problem) =>
      (problem.severity !== 'info' || problem.about?.kind === 'person') && !isAsked(problem, asking),
  );
  const agents = Object.values(input.agents).flatMap((agent): QueueItem[] => {
    const trouble = troubleOf(agent);
    if (trouble === null || isRepeated(agent, problems)) return [];
    return [{ kind: 'agent', key: `agent ${agent.id}`, agent, trouble }];
  });
  const rest: QueueItem[] = [
    ...agents,
    ...problems.map((problem) => ({ kind: 'problem' as const, key: `problem ${problem.id}`, problem })),
    ...input.brakes.map((brake) => ({ kind: 'brake' as const, key: keyOfBrake(brake), brake })),
    ...input.invites.map((invite) => ({ kind: 'invite' as const, key: `invite ${invite}`, invite })),
  ];
  return [
    ...asking.map((approval) => ({ kind: 'approval' as const, key: `approval ${approval.id}`, approval })),
    ...rest.filter(isFailure),
    ...rest.filter((item) => !isFailure(item)),
  ];
}

const keyOfBrake = ({ agentId, roomId, rootId }: Brake): string => `brake ${agentId} ${roomId} ${rootId}`;

const isFailure = (item: QueueItem): boolean =>
  (item.kind === 'agent' && item.trouble === 'stopped') ||
  (item.kind === 'problem' && item.problem.severity === 'error');
