import { messageText } from '../core/agents/message-text.ts';
import { taskCommand } from '../core/agents/task-command.ts';
import type { Clock, Log } from '../core/ports.ts';
import type { StoredMessage } from '../core/puffo/stored-message.ts';
import { englishText } from '../language/host-message.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { ChatConsent } from './approvals/chat-consent.ts';
import type { Chat } from './chat/chat.ts';
import { createTurnDrafts } from './chat/turn-drafts.ts';
import type { Topics } from './feed/topics.ts';
import type { FleetParts } from './fleet/build-fleet.ts';
import { createLimitedSenders } from './fleet/limited-senders.ts';
import type { IdentityParts } from './identity/identity.ts';
import type { Operator } from './identity/operator.ts';
import type { McpAccess } from './mcp/mcp-access.ts';
import type { Problems } from './problems.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { LiveWork } from './work/live-work.ts';
import type { Workflows } from './workflows/workflows.ts';

export interface FleetHookWiring {
  readonly clock: Clock;
  readonly log: Log;
  readonly problems: Problems;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly agents: Pick<AgentStore, 'get'>;
  readonly topics: Topics;
  readonly work: LiveWork;
  readonly chat: Chat;
  readonly operator: Operator;
  heedUndo(agentId: string, message: StoredMessage): Promise<boolean>;
}

/** Features that the fleet calls; the root builds them after the fleet. */
export interface FleetPeers {
  readonly approvals: Approvals;
  readonly consent: ChatConsent;
  readonly tasks: Tasks;
  readonly workflows: Workflows;
  readonly identity: IdentityParts;
  readonly mcp: McpAccess;
}

type FleetHooks = Pick<FleetParts, 'questions' | 'commands' | 'events' | 'duties' | 'turns' | 'retire'>;

/** Part of the composition root: joins the fleet to features that need it themselves. */
export function buildFleetHooks(wiring: FleetHookWiring, peers: () => FleetPeers): FleetHooks {
  const { clock, log, problems, settings, agents, topics, work, chat, operator } = wiring;
  const limitedSenders = createLimitedSenders({
    clock,
    problems,
    limit: () => settings.config().limits.sender_messages,
    nameOf: (agentId) => agents.get(agentId)?.lastGood?.display_name || agentId,
    note: (entry) => void peers().approvals.note(entry),
  });
  return {
    questions: {
      ask: (question, signal) => peers().approvals.ask(question, signal),
      gate: () => peers().approvals.gate(),
      sharesOf: (agentId) => peers().approvals.sharesOf(agentId),
      questionOf: (agentId, call) => peers().approvals.questionOf(agentId, call),
      withdrawBut(agentId, goOn) {
        const { approvals, mcp } = peers();
        approvals.withdrawBut(agentId, () => new Set([...goOn(), ...mcp.running.turns(agentId)]));
      },
    },
    commands: {
      interceptConsent: (agentId, message) =>
        peers().consent.intercept(agentId, message) ? { reason: 'consent' } : null,
      heedTask: (agentId, message) =>
        taskCommand(messageText(message).text)
          ? peers().tasks.heed(agentId, message)
          : wiring.heedUndo(agentId, message),
    },
    events: {
      onChanged(id) {
        topics.agentChanged(id);
        peers().tasks.agentChanged(id);
      },
      onViewChanged: () => topics.viewChanged(),
      onMarks: (ids) => chat.marksChanged(ids),
      onOnline(id) {
        peers().identity.profiles.online(id);
        peers().workflows.agentOnline(id);
      },
      onHeld: (slug, envelopeId) => peers().identity.peers.held(slug, envelopeId),
      onBraked({ agentId, turns, why }) {
        const entry = { kind: 'brake', agentId, outcome: `${turns}`, detail: englishText(why) } as const;
        void peers().approvals.note({ ...entry, tool: '', digest: '' });
      },
      onSenderLimit: limitedSenders.limited,
    },
    duties: {
      taskOf: (id) => peers().tasks.taskOf(id),
      waitingFor: (id) => peers().approvals.waitingFor(id),
    },
    turns: [
      createTurnDrafts({ chat: () => chat, self: () => operator.session()?.self.slug ?? null }),
      work.sink,
    ],
    retire: (id, account) =>
      peers()
        .identity.retirements.begin(id, account)
        .catch((error: unknown) => {
          log.error('retirement_failed', { agent: id, error });
          return null;
        }),
  };
}
