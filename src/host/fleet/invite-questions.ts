import type { AppError, ErrorCode } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { Question } from '../../core/approvals/approval-centre-ports.ts';
import type { GateDecision } from '../../core/approvals/approval-gate.ts';
import { codeSpan, nameSpan } from '../../core/approvals/shown-text.ts';
import { type BackoffPolicy, backoffMs } from '../../core/lib/backoff.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import type { Invite } from '../../services/puffo/account-types.ts';
import { createQuestionQuota } from './question-quota.ts';

export interface InviteQuestionDeps {
  readonly agent: InvitedAgent;
  readonly server: InvitationServer;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  ask(question: Question, signal: AbortSignal): Promise<GateDecision>;
}

export interface InvitedAgent {
  readonly id: string;
  /** URL of the server that sends the invitations. */
  readonly serverUrl: string;
  name(): string;
}

export interface InvitationServer {
  answer(invite: Invite, accepts: boolean): Promise<Result<void, AppError>>;
  /** Reports the outcome in the thread of the question in the chat, once. */
  confirm(invite: Invite, text: string): void;
  /** The quota allows another question. */
  lookAgain(): void;
}

export interface InviteQuestions {
  /** Handles the server's list of open invitations; withdraws the question of one that is gone. */
  heard(waiting: readonly Invite[]): void;
  /** Withdraws waiting questions, unless the host stops: then they continue at its next start. */
  stop(): void;
}

const retry: BackoffPolicy = { firstMs: 5_000, maxMs: 300_000 };
const passing: readonly ErrorCode[] = [
  'unavailable',
  'timeout',
  'protocol',
  'cancelled',
  'rate_limited',
  'unauthenticated',
];

/** Most code points of an error. */
const errorPoints = 500;
const quoted = (name: string): string => JSON.stringify(name);

/** Names come from strangers, so each is quoted on its own line. */
function linesOf({ inviterSlug, scope, spaceName, channelName }: Invite): string {
  const channel = scope === 'channel' ? [`Channel: ${quoted(channelName)}`] : [];
  return [`Invited by: ${quoted(inviterSlug)}`, `Space: ${quoted(spaceName)}`, ...channel].join('\n');
}

export const inviteKey = ({ eventId }: Pick<Invite, 'eventId'>): string => `invitation:${eventId}`;

function questionOf(agent: InvitedAgent, invite: Invite): Question {
  const { eventId, scope, spaceId, channelId, inviterSlug } = invite;
  return {
    kind: 'invitation',
    agentId: agent.id,
    agentName: agent.name(),
    subject: `join_${scope}`,
    key: inviteKey(invite),
    args: { invitation: eventId, inviter: inviterSlug, space: spaceId, channel: channelId },
    title: say(scope === 'channel' ? 'spaces.wantsToJoinChannel' : 'spaces.wantsToJoinSpace'),
    preview: { kind: 'text', body: linesOf(invite) },
    risk: 'medium',
    why: say('spaces.whyAsked'),
    where: agent.serverUrl,
    roomId: null,
    threadRootId: null,
  };
}

/** A stranger chose the names, and a server may have written the error (T8). */
function outcomeWords({ scope, spaceName, channelName }: Invite, accepts: boolean, error: AppError | null) {
  const place = `the ${scope} ${nameSpan(scope === 'channel' ? channelName : spaceName).text}`.trim();
  if (error) return `That did not work: ${codeSpan(error.message, errorPoints).text} Nothing was changed.`;
  return accepts ? `Done: I have joined ${place}.` : `Done: I have turned down ${place}.`;
}

export function createInviteQuestions(deps: InviteQuestionDeps): InviteQuestions {
  const { log, clock, random, server } = deps;
  const ended = new AbortController();
  /** Open questions by event id. */
  const open = new Map<string, AbortController>();
  /** Decided, or left alone until the next start. */
  const over = new Set<string>();
  /** Invitations beyond the quota wait at the server. */
  const quota = createQuestionQuota(clock, server.lookAgain);

  /** Retries until the server has the decision. */
  const carryOut = async (invite: Invite, accepts: boolean): Promise<void> => {
    for (let tries = 0; !ended.signal.aborted; tries += 1) {
      const answered = await server.answer(invite, accepts);
      if (answered.ok || !passing.includes(answered.error.code)) {
        if (!answered.ok) log.warn('invite_not_answered', { code: answered.error.code });
        server.confirm(invite, outcomeWords(invite, accepts, answered.ok ? null : answered.error));
        return;
      }
      await sleep(clock, backoffMs(retry, tries, random.fraction()), ended.signal);
    }
  };
  const decide = async (invite: Invite, withdrawn: AbortSignal): Promise<void> => {
    const decision = await deps.ask(questionOf(deps.agent, invite), withdrawn);
    if (withdrawn.aborted) return;
    over.add(invite.eventId);
    // Without the operator's answer the invitation stays open at the server.
    if (decision.type === 'deny' && decision.by !== 'operator') return;
    await carryOut(invite, decision.type === 'allow');
  };
  const begin = (invite: Invite): void => {
    const { eventId } = invite;
    const mine = new AbortController();
    open.set(eventId, mine);
    quota.asked();
    decide(invite, mine.signal)
      .catch((error: unknown) => log.error('invite_question_failed', { error }))
      .finally(() => {
        open.delete(eventId);
        if (!ended.signal.aborted) server.lookAgain();
      });
  };

  /** Forgets invitations that the server no longer lists. */
  const drop = (there: ReadonlySet<string>): void => {
    for (const [eventId, mine] of open) if (!there.has(eventId) && !over.has(eventId)) mine.abort();
    for (const id of over) if (!there.has(id) && !open.has(id)) over.delete(id);
  };

  return {
    heard(waiting) {
      if (ended.signal.aborted) return;
      drop(new Set(waiting.map(({ eventId }) => eventId)));
      const fresh = waiting.filter(({ eventId }) => !open.has(eventId) && !over.has(eventId));
      let left = 0;
      for (const invite of fresh) {
        if (quota.hasRoom(open.size)) begin(invite);
        else left += 1;
      }
      if (left > 0) log.info('invites_left_open', { count: left });
    },
    stop() {
      ended.abort();
      quota.stop();
      for (const mine of open.values()) mine.abort();
    },
  };
}
