import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { Question } from '../../core/approvals/centre.ts';
import type { Log } from '../../core/ports.ts';
import type { GateDecision } from '../../core/tool-ports.ts';
import type { Invite } from '../../services/puffo/account-types.ts';

export interface InviteQuestionDeps {
  readonly agentId: string;
  /** Where the invitations come from. */
  readonly serverUrl: string;
  readonly log: Log;
  agentName(): string;
  ask(question: Question, signal: AbortSignal): Promise<GateDecision>;
  answer(invite: Invite, accepts: boolean): Promise<Result<void, AppError>>;
}

/** Invitations of others than the operator, as questions to the operator. */
export interface InviteQuestions {
  heard(invite: Invite): void;
  /** Questions that still wait are withdrawn, unless the host stops: then they go on at its next start. */
  stop(): void;
}

/** Whoever invites without end is not let into the inbox without end; the rest waits at the server. */
const maxOpen = 5;

/** Names come from strangers: they stand in quotes, each on a line of its own. */
function linesOf({ inviterSlug, scope, spaceName, channelName }: Invite): string {
  const channel = scope === 'channel' ? [`Channel: ${JSON.stringify(channelName)}`] : [];
  return [
    `Invited by: ${JSON.stringify(inviterSlug)}`,
    `Space: ${JSON.stringify(spaceName)}`,
    ...channel,
  ].join('\n');
}

function questionOf({ agentId, serverUrl, agentName }: InviteQuestionDeps, invite: Invite): Question {
  const { eventId, scope, spaceId, channelId, inviterSlug } = invite;
  return {
    ...{ kind: 'invitation', agentId, agentName: agentName(), subject: `join_${scope}` },
    key: `invitation:${eventId}`,
    args: { invitation: eventId, inviter: inviterSlug, space: spaceId, channel: channelId },
    title: `wants to join a ${scope} of somebody else`,
    preview: { kind: 'text', body: linesOf(invite) },
    risk: 'medium',
    why: 'It asks because the invitation is not from you; the people there will be able to write to it.',
    where: serverUrl,
    ...{ roomId: null, threadRootId: null },
  };
}

export function createInviteQuestions(deps: InviteQuestionDeps): InviteQuestions {
  const { log } = deps;
  const ended = new AbortController();
  let open = 0;

  const decide = async (invite: Invite): Promise<void> => {
    const decision = await deps.ask(questionOf(deps, invite), ended.signal);
    // Without an answer of the operator's it stays open at the server, and is asked about another time.
    if (decision.type === 'deny' && decision.by !== 'operator') return;
    const answered = await deps.answer(invite, decision.type === 'allow');
    if (!answered.ok) log.warn('invite_not_answered', { code: answered.error.code });
  };

  return {
    heard(invite) {
      if (open >= maxOpen || ended.signal.aborted) {
        log.info('invite_left_open', { scope: invite.scope });
        return;
      }
      open += 1;
      decide(invite)
        .catch((error: unknown) => log.error('invite_question_failed', { error }))
        .finally(() => {
          open -= 1;
        });
    },
    stop: () => ended.abort(),
  };
}
