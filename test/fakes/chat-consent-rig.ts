/** Answers from the chat, connected to the centre of an approval rig. */
import { type ChatConsent, createChatConsent } from '../../src/host/approvals/chat-consent.ts';
import { createConsentReplies } from '../../src/host/approvals/consent-replies.ts';
import {
  createOperatorTrust,
  type OperatorTrust,
  type OperatorTrustDeps,
} from '../../src/host/approvals/operator-trust.ts';
import { createQuestionPosts } from '../../src/host/approvals/question-posts.ts';
import { createConsentPlaces, type QuestionSender } from '../../src/host/approvals/question-room.ts';
import type { AgentStore } from '../../src/services/agent-store/agent-types.ts';
import type { ChannelView } from '../../src/services/puffo/account-types.ts';
import type { ApprovalRig } from './approval-rig.ts';
import { createRecordingLog } from './recording-log.ts';

export interface ChatConsentRig {
  readonly rig: ApprovalRig;
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  /** The only agent that sends questions. */
  readonly agent: QuestionSender;
  readonly operator: OperatorTrustDeps['operator'];
  uuid(): string;
}

export function createChatConsentRig(deps: ChatConsentRig): { consent: ChatConsent; trust: OperatorTrust } {
  const { rig, agents, operator } = deps;
  const { clock } = rig;
  const sender = () => deps.agent;
  const channels = (): readonly ChannelView[] => operator.session()?.self.account.rooms().channels ?? [];
  const trust = createOperatorTrust({ agents, operator, layout: { agentKeys: () => '/keys' } });
  const postQuestion = createQuestionPosts({
    trust,
    places: createConsentPlaces({ agents, sender, channels, trust }),
    sender,
    centre: () => rig.centre,
    clock,
    random: { uuid: deps.uuid } as never,
  });
  const consent = createChatConsent({
    opened: () => rig,
    trust,
    postQuestion,
    replies: createConsentReplies({ agents, sender, clock, trust }),
    log: createRecordingLog(),
  });
  return { consent, trust };
}
