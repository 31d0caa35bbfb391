import type { OperatorTrust } from '../approvals/operator-trust.ts';
import { createTurnDrafts } from '../chat/turn-drafts.ts';
import type { HostContext } from '../context.ts';
import type { WatchStore } from '../store-watch.ts';
import type { Topics } from '../topics.ts';
import type { AgentPuppies } from '../workflows/for-agent.ts';
import { Fleet, type FleetDeps } from './fleet.ts';
import { createToolParts } from './tool-parts.ts';

export type FleetParts = Pick<
  HostContext,
  'ports' | 'layout' | 'disk' | 'settings' | 'agents' | 'models' | 'usage' | 'work'
> & {
  readonly watchStore: WatchStore;
  readonly trust: OperatorTrust;
  readonly puppies: AgentPuppies;
  readonly interceptConsent: FleetDeps['consent']['interceptConsent'];
};

/** The fleet, connected to the other parts of the host, which are created later. */
export function buildFleet(parts: FleetParts, context: () => HostContext, topics: () => Topics): Fleet {
  const { ports, layout, disk, settings, agents, models, usage, watchStore } = parts;
  return new Fleet({
    ports,
    layout,
    agents,
    models,
    watchStore,
    context: { home: ports.home, disk, agents, settings, log: ports.log },
    onChanged: (id) => {
      topics().agentChanged(id);
      context().tasks.agentChanged(id);
    },
    taskOf: (id) => context().tasks.taskOf(id),
    waitingFor: (id) => context().approvals.waitingFor(id),
    onOnline: (id) => {
      context().identity.profiles.online(id);
      context().workflows.agentOnline(id);
    },
    onHeld: (slug, envelopeId) => context().identity.peers.held(slug, envelopeId),
    onMarks: (ids) => context().chat.marksChanged(ids),
    turns: [
      createTurnDrafts({
        chat: () => context().chat,
        self: () => context().operator.session()?.self.slug ?? null,
      }),
      parts.work.sink,
    ],
    trust: parts.trust,
    operatorServer: () => context().operator.session()?.identity.serverUrl ?? null,
    contacts: () => context().contacts,
    consent: {
      ask: (question, signal) => context().approvals.ask(question, signal),
      gate: () => context().approvals.gate(),
      sharesOf: (agentId) => context().approvals.sharesOf(agentId),
      questionOf: (agentId, call) => context().approvals.questionOf(agentId, call),
      withdrawBut: (agentId, goOn) => {
        const { approvals, mcp } = context();
        approvals.withdrawBut(agentId, () => new Set([...goOn(), ...mcp.running.turns(agentId)]));
      },
      interceptConsent: parts.interceptConsent,
    },
    heedTask: (agentId, message) => context().tasks.heed(agentId, message),
    spend: usage.gate,
    toolParts: createToolParts(ports, disk, () => settings.config().limits, parts.puppies, context),
    onViewChanged: () => topics().viewChanged(),
    onSenderLimit: (agentId, slug, until) => senderLimited(context(), agentId, slug, until),
    retire: (id, account) => context().identity.retirements.begin(id, account),
    onBraked: ({ agentId, turns, why }) => {
      const what = { kind: 'brake', agentId, outcome: `${turns}`, detail: why } as const;
      void context().approvals.note({ ...what, tool: '', digest: '' });
    },
  });
}

/** Shows one notice per agent until it answers this person again. */
function senderLimited(
  { problems, approvals, agents, settings, ports }: HostContext,
  agentId: string,
  slug: string,
  until: number,
): void {
  const id = `sender-limit-${agentId}`;
  const { sender_messages: limit } = settings.config().limits;
  const name = agents.get(agentId)?.lastGood?.display_name || agentId;
  problems.set(id, 'info', {
    message: `${slug} has used up the ${limit} messages of one person that ${name} answers in an hour.`,
    hint: `It goes on by itself. "kennel contacts block ${slug}" ends it; limits.sender_messages in daemon.yml is the limit.`,
  });
  const { clock } = ports;
  clock.after(Math.max(0, until - clock.now()), () => problems.clear(id), { unref: true });
  const what = {
    kind: 'brake',
    agentId,
    outcome: slug,
    detail: `more than ${limit} messages in an hour`,
  } as const;
  void approvals.note({ ...what, tool: '', digest: '' });
}
