import type { ApprovalsView } from '../contract/approvals.ts';
import type { AgentSummary, HostView } from '../contract/model.ts';
import { queueItems } from '../contract/operator-queue.ts';
import type { HostPorts } from './host-ports.ts';
import type { Operator } from './identity/operator.ts';
import { joinTexts } from './join-texts.ts';

type ShownFacts = Pick<
  HostView,
  | 'state'
  | 'startedAt'
  | 'vault'
  | 'relay'
  | 'operator'
  | 'spentToday'
  | 'brakes'
  | 'problems'
  | 'notifications'
>;

export interface HostFacts extends ShownFacts {
  readonly now: number;
  readonly approvals: ApprovalsView;
  /** Ids of open invitations to the operator. */
  readonly invites: readonly string[];
  readonly ports: Pick<HostPorts, 'version' | 'home' | 'storesEncrypted'>;
  /** `null` if this folder has no demo. */
  readonly demo: { readonly complete: boolean } | null;
  readonly agents: Readonly<Record<string, AgentSummary>>;
}

function countAgents(agents: HostFacts['agents']): HostView['agents'] {
  const counts = { total: 0, working: 0, needsYou: 0, error: 0 };
  for (const { dot } of Object.values(agents)) {
    counts.total += 1;
    if (dot === 'working') counts.working += 1;
    if (dot === 'needs_you') counts.needsYou += 1;
    if (dot === 'error') counts.error += 1;
  }
  return counts;
}

export function viewOperator(operator: Pick<Operator, 'session' | 'record'>): HostView['operator'] {
  const session = operator.session();
  if (session) {
    const { slug, displayName, account } = session.self;
    const { serverUrl, avatarUrl } = session.record;
    return { slug, displayName, avatarUrl, serverUrl, connection: account.connection().state };
  }
  const record = operator.record();
  if (!record.ok || !record.value) return null;
  const { slug, displayName, avatarUrl, serverUrl } = record.value;
  return { slug, displayName, avatarUrl, serverUrl, connection: 'none' };
}

const notEncrypted =
  'The stores on this disk are not encrypted: this is a test runtime. Use it for tests only.';

export function viewHost({
  ports,
  demo,
  agents,
  vault,
  now,
  approvals,
  invites,
  ...shown
}: HostFacts): HostView {
  const counts = countAgents(agents);
  const { brakes, problems } = shown;
  const queue = queueItems({ approvals: approvals.waiting, agents, brakes, problems, invites, now });
  const warning = ports.storesEncrypted ? '' : notEncrypted;
  return {
    ...shown,
    version: ports.version,
    pid: process.pid,
    home: ports.home,
    // An interrupted demo is still to be completed; a host with agents but no operator is a valid setup.
    firstRun: demo ? !demo.complete : shown.operator === null && counts.total === 0,
    demo: demo !== null,
    vault: { ...vault, note: joinTexts([warning, vault.note]) },
    agents: counts,
    waiting: queue.length,
  };
}
