import { introductionPrompt } from '../../core/agents/introduction.ts';
import type { Question } from '../../core/approvals/approval-centre-ports.ts';
import type { GateDecision } from '../../core/approvals/approval-gate.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { Clock, Random } from '../../core/ports.ts';
import type { Invite } from '../../services/puffo/account-types.ts';
import { firstPublicChannel } from '../../services/puffo/public-channel.ts';
import { askedAs } from '../approvals/question-posts.ts';
import type { AgentInUse } from './agent-people.ts';
import { derivedEnvelopeId } from './derived-id.ts';
import { createIntroductions, hasDueIntroductions, type Introductions } from './introductions.ts';
import { createInviteQuestions, type InviteQuestions, inviteKey } from './invite-questions.ts';
import type { OpenedAgent } from './open-agent.ts';

export interface AgentArrivalsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly ask: (question: Question, signal: AbortSignal) => Promise<GateDecision>;
}

/** How an agent joins rooms: the operator's answers to invitations, and its introductions. */
export interface AgentArrivals {
  readonly invites: InviteQuestions;
  readonly introductions: Introductions;
  /** Continues the introductions that the last run left. */
  resume(): void;
}

export type ArrivalsOf = (opened: OpenedAgent, agent: AgentInUse) => AgentArrivals;

export const createAgentArrivals =
  (deps: AgentArrivalsDeps): ArrivalsOf =>
  (opened, agent) =>
    new LazyArrivals(deps, opened, agent);

/** Creates its parts on first use: most agents get no invitation after a start. */
class LazyArrivals implements AgentArrivals {
  readonly #made: Parameters<typeof invitesOf>;
  #invites: InviteQuestions | null = null;
  #introductions: Introductions | null = null;

  constructor(...made: Parameters<typeof invitesOf>) {
    this.#made = made;
  }

  get invites(): InviteQuestions {
    this.#invites ??= invitesOf(...this.#made);
    return this.#invites;
  }

  get introductions(): Introductions {
    this.#introductions ??= introductionsOf(...this.#made);
    return this.#introductions;
  }

  resume(): void {
    if (hasDueIntroductions(this.#made[1].store)) this.introductions.resume();
  }
}

/** Reports the outcome in the thread of the question in the chat, once. */
function confirmInvite(
  { crypto, store, identity: { slug } }: OpenedAgent,
  invite: Invite,
  text: string,
  createdAt: number,
): boolean {
  const asked = store.outbox(askedAs(crypto, slug, inviteKey(invite)));
  if (!asked) return false;
  store.enqueue(
    {
      envelopeId: derivedEnvelopeId(crypto, slug, 'answered', invite.eventId),
      kind: 'dm',
      spaceId: null,
      channelId: null,
      recipientSlug: asked.recipientSlug,
      conversationId: asked.conversationId ?? null,
      threadRootId: asked.envelopeId,
      contentType: 'text/plain',
      content: text,
      visible: true,
      createdAt,
    },
    slug,
  );
  return true;
}

function invitesOf(
  { clock, random, ask }: AgentArrivalsDeps,
  opened: OpenedAgent,
  { config, account }: AgentInUse,
): InviteQuestions {
  const { id, identity, log } = opened;
  return createInviteQuestions({
    agent: { id, serverUrl: identity.serverUrl, name: () => config().display_name || id },
    server: {
      answer: (invite, accepts) => account().answerInvite(invite, accepts),
      confirm: (invite, text) => {
        if (despiteStore(() => confirmInvite(opened, invite, text, clock.now()), false))
          account().kickOutbox();
      },
      lookAgain: () => account().lookAtInvites(),
    },
    clock,
    random,
    log,
    ask,
  });
}

function introductionsOf(
  { clock }: Pick<AgentArrivalsDeps, 'clock'>,
  { identity, store, crypto, log }: OpenedAgent,
  { config, account, accepted }: AgentInUse,
): Introductions {
  return createIntroductions({
    store,
    prompt: (channel) => accepted(store.accept([introductionPrompt(crypto, identity.slug, channel)])),
    clock,
    config,
    log,
    publicChannel: async (spaceId) => {
      const found = await firstPublicChannel(account().client, spaceId);
      return found.ok ? found.value : null;
    },
  });
}
