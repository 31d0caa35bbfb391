import type { OperatorTrust } from '../approvals/operator-trust.ts';
import { createTurnDrafts } from '../chat/turn-drafts.ts';
import type { HostContext } from '../context.ts';
import { lazyImageShrinker } from '../files/agent-files.ts';
import type { WatchStore } from '../store-watch.ts';
import type { Topics } from '../topics.ts';
import type { AgentPuppies } from '../workflows/for-agent.ts';
import type { AgentFolders } from './agent-folders.ts';
import { Fleet, type FleetDeps } from './fleet.ts';
import { createLimitedSenders } from './limited-senders.ts';
import { createSharedTools, lazyAgentCommands, type SharedToolsDeps } from './shared-tools.ts';

export type FleetParts = Pick<
  HostContext,
  'ports' | 'layout' | 'disk' | 'problems' | 'settings' | 'agents' | 'models' | 'usage' | 'work'
> & {
  readonly watchStore: WatchStore;
  readonly trust: OperatorTrust;
  readonly puppies: AgentPuppies;
  readonly interceptConsent: FleetDeps['consent']['interceptConsent'];
  readonly folders: AgentFolders;
  readonly tasks: SharedToolsDeps['tasks'];
};

/** The fleet, connected to the other parts of the host, which are created later. */
export function buildFleet(parts: FleetParts, context: () => HostContext, topics: () => Topics): Fleet {
  const { ports, layout, disk, settings, agents, models, usage, watchStore, problems, folders } = parts;
  const { clock } = ports;
  const limitedSenders = createLimitedSenders({
    clock,
    problems,
    limit: () => settings.config().limits.sender_messages,
    nameOf: (agentId) => agents.get(agentId)?.lastGood?.display_name || agentId,
    note: (entry) => void context().approvals.note(entry),
  });
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
    folders,
    images: lazyImageShrinker(clock),
    sharedTools: createSharedTools({
      folders,
      disk,
      clock,
      commands: lazyAgentCommands({
        home: ports.home,
        env: ports.env,
        clock,
        commandSeconds: () => settings.config().limits.command_s,
      }),
      puppy: parts.puppies,
      tasks: parts.tasks,
    }),
    onViewChanged: () => topics().viewChanged(),
    onSenderLimit: limitedSenders.limited,
    retire: (id, account) => context().identity.retirements.begin(id, account),
    onBraked: ({ agentId, turns, why }) => {
      const what = { kind: 'brake', agentId, outcome: `${turns}`, detail: why } as const;
      void context().approvals.note({ ...what, tool: '', digest: '' });
    },
  });
}
