import type { AgentSummary, HostView } from '../contract/model.ts';
import type { HostContext } from './context.ts';
import { demoFile } from './demo/demo.ts';

export interface HostFacts {
  readonly state: HostView['state'];
  readonly startedAt: number;
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

function viewOperator(context: HostContext): HostView['operator'] {
  const session = context.operator.session();
  if (session) {
    const { slug, displayName, account } = session.self;
    const { serverUrl, avatarUrl } = session.record;
    return { slug, displayName, avatarUrl, serverUrl, connection: account.connection().state };
  }
  const record = context.operator.record();
  if (!record.ok || !record.value) return null;
  const { slug, displayName, avatarUrl, serverUrl } = record.value;
  return { slug, displayName, avatarUrl, serverUrl, connection: 'none' };
}

const notEncrypted =
  'The stores on this disk are not encrypted: this is a test runtime. Use it for tests only.';

function viewVault({ ports, secrets }: HostContext): HostView['vault'] {
  const vault = secrets.view();
  if (ports.storesEncrypted) return vault;
  return { ...vault, note: [notEncrypted, vault.note].filter(Boolean).join(' ') };
}

export function viewHost(context: HostContext, facts: HostFacts): HostView {
  const { ports, relay, problems } = context;
  const demo = demoFile(context).read();
  const record = demo.ok ? demo.value : null;
  const operator = viewOperator(context);
  const counts = countAgents(facts.agents);
  return {
    version: ports.version,
    pid: process.pid,
    home: ports.home,
    startedAt: facts.startedAt,
    state: facts.state,
    // An interrupted demo is still to be completed; a host with agents but no operator is a valid setup.
    firstRun: record ? !record.complete : operator === null && counts.total === 0,
    demo: record !== null,
    vault: viewVault(context),
    relay: { embedded: relay.exists(), url: relay.current()?.url ?? null },
    operator,
    agents: counts,
    waiting: context.approvals.waitingFor(null),
    spentToday: context.usage.spentToday(null),
    brakes: [...context.fleet.brakes()],
    problems: [...problems.list()],
  };
}
