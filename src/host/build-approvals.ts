import type { DiskPort } from '../core/ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import { type AgentPolicies, createAgentFacts } from './approvals/agent-policies.ts';
import {
  type Approvals,
  type ApprovalsDeps,
  createApprovals,
  createConsentFiles,
} from './approvals/approvals.ts';
import { type ChatConsent, createChatConsent } from './approvals/chat-consent.ts';
import { createConsentReplies } from './approvals/consent-replies.ts';
import type { OperatorTrust } from './approvals/operator-trust.ts';
import { createOperatorsRoom, type OperatorsRoom } from './approvals/operators-room.ts';
import { createQuestionPosts } from './approvals/question-posts.ts';
import { createConsentPlaces } from './approvals/question-room.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { HostPorts } from './host-ports.ts';
import type { Operator } from './identity/operator.ts';
import type { Layout } from './layout.ts';
import type { Problems } from './problems.ts';
import type { WatchStore } from './stores/store-watch.ts';

const hourMs = 3_600_000;

/** Everything that the units of approvals use, each a part of it. */
export interface ApprovalWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'random' | 'log' | 'version'>;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly problems: Problems;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly agents: AgentStore;
  readonly operator: Operator;
  readonly fleet: Pick<Fleet, 'post'>;
  readonly watchStore: WatchStore;
  readonly trust: OperatorTrust;
  readonly policies: AgentPolicies;
}

export interface ApprovalHooks {
  /** Decides the gate of a workflow whose question was answered. */
  readonly answerer: NonNullable<ApprovalsDeps['rules']['answerer']>;
  readonly onChanged: (agentId: string) => void;
  readonly onDecided: ApprovalsDeps['events']['onQuestion'];
}

export interface ApprovalParts {
  readonly approvals: Approvals;
  readonly consent: ChatConsent;
  readonly operatorsRoom: OperatorsRoom;
}

/** Part of the composition root: questions to the operator, in the inbox and in the chat. */
export function buildApprovals(wiring: ApprovalWiring, hooks: ApprovalHooks): ApprovalParts {
  const { layout, disk, problems, settings, agents, operator, fleet, watchStore, trust, policies } = wiring;
  const { clock, random, log, version } = wiring.ports;
  const operatorsRoom = createOperatorsRoom({ operator, slugOf: (id) => fleet.post(id)?.slug });
  const sender = (id: string) => fleet.post(id);
  const channels = () => operator.session()?.self.account.rooms().channels ?? [];
  const centre = () => approvals.opened()?.centre ?? null;
  const places = createConsentPlaces({ agents, sender, channels, trust });
  const postQuestion = createQuestionPosts({ trust, places, sender, centre, clock, random });
  const replies = createConsentReplies({ agents, sender, clock, trust });
  const opened = () => approvals.opened();
  const consent = createChatConsent({ opened, trust, postQuestion, replies, log });
  const approvals: Approvals = createApprovals({
    clock,
    problems,
    files: createConsentFiles(disk, layout),
    loadCentre: async () => {
      const { createAuditOpener } = await import('./approvals/open-audit.ts');
      const { createCentreOpener } = await import('./approvals/open-approval-centre.ts');
      const audit = { folder: layout.audit, version, clock, log, problems };
      const openAudit = createAuditOpener(audit);
      return createCentreOpener({ clock, random, log, layout, watchStore, openAudit });
    },
    rules: {
      facts: createAgentFacts({ agents, policies, operatorsRoom }),
      lifeMs: () => settings.config().policy.approval_hours * hourMs,
      answerer: hooks.answerer,
    },
    events: {
      onChanged: hooks.onChanged,
      onQuestion: (approval) => {
        consent.follow(approval);
        hooks.onDecided(approval);
      },
      onAsked: (row) => consent.post(row),
    },
  });
  return { approvals, consent, operatorsRoom };
}
