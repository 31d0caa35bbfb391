/**
 * Reports a turn to the server, as status and processing runs of the account, and to the watchers of the agent.
 * Reports to the server are best effort and never delay a reply.
 */
import { type AppError, messageOf } from '../../contract/errors.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { TurnTrace } from '../agents/turn-records.ts';
import type { Clock, Random } from '../ports.ts';
import type { AccountPort, AccountStatus } from '../puffo/account-port.ts';
import type { OpenWork, TurnOutcome } from '../puffo/account-store.ts';
import { newRunId } from '../puffo/ids.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import { publicErrorMessage } from './public-error-message.ts';
import type { TurnEvent, TurnResult } from './turn-run.ts';
import type { TurnInfo, WorkerEvents } from './worker-ports.ts';

export interface TurnReportsDeps {
  readonly account: AccountPort;
  readonly events: WorkerEvents;
  readonly clock: Clock;
  readonly random: Random;
}

/** Most trace lines of one turn. */
const maxTrace = 2_000;

export type EndedTurn = Exclude<TurnResult, { type: 'interrupted' }>;

/** Creates the reporter of a turn; `work` grows by the messages that the turn takes while it runs. */
export type StartReport = (turn: TurnInfo, work: readonly OpenWork[]) => TurnReporter;

export const createTurnReports =
  (deps: TurnReportsDeps): StartReport =>
  (turn, work) =>
    new TurnReporter(deps, turn, work);

export class TurnReporter {
  readonly trace: TurnTrace[] = [];
  readonly #deps: TurnReportsDeps;
  readonly #turn: TurnInfo;
  readonly #work: readonly OpenWork[];
  readonly #runId: string;
  readonly #steps = new Map<string, ToolStep>();

  constructor(deps: TurnReportsDeps, turn: TurnInfo, work: readonly OpenWork[]) {
    this.#deps = deps;
    this.#turn = turn;
    this.#work = work;
    this.#runId = newRunId(deps.random);
  }

  started(first: StoredMessage): void {
    const { account, events } = this.#deps;
    events.onTurnStarted(this.#turn);
    events.onActivity(this.#turn, this.#activityFor(first));
    account.setStatus({ status: 'busy', messageId: first.envelopeId });
    account.processingStarted({ runId: this.#runId, messageId: first.envelopeId });
  }

  steps(): readonly ToolStep[] {
    return [...this.#steps.values()];
  }

  took(fresh: readonly OpenWork[]): void {
    this.#deps.events.onTurnTook(this.#now(), idsOf(fresh));
  }

  heard(event: TurnEvent): void {
    const { events } = this.#deps;
    switch (event.type) {
      case 'text_delta':
        events.onDelta(this.#turn, event.text);
        return;
      case 'text_void':
        events.onDraftReset(this.#turn);
        return;
      case 'step':
        this.#steps.set(event.step.callId, event.step);
        events.onStep(this.#turn, event.step);
        return;
      case 'model_called':
        this.#traced(event.call);
        return;
      case 'retrying':
        events.onActivity(this.#turn, say('steps.retriesSoon', { why: messageOf(event.error) }));
        this.retries(event.inMs, event.error);
    }
  }

  /** The next attempt starts in `inMs`; the text so far is void. */
  retries(inMs: number, error: AppError): void {
    this.#traced({ kind: 'retry', at: this.#deps.clock.now(), inMs, error: messageOf(error) });
    this.#deps.events.onDraftReset(this.#turn);
    this.savesAgain(inMs, error);
  }

  /** The store is tried again in `inMs`. */
  savesAgain(inMs: number, error: AppError): void {
    this.#deps.events.onRetrying(this.#turn, { inMs, error });
  }

  /** This run of the host will not commit the turn. */
  abandoned(): void {
    this.#endRuns('Kennel was stopped; the message is taken up again at the next start.');
    this.#deps.events.onTurnEnded(this.#now(), { status: 'interrupted' });
  }

  /** `others`: account status for its other work; `null` if none. */
  committed(outcome: TurnOutcome, result: EndedTurn, others: AccountStatus | null): void {
    const { account, events } = this.#deps;
    if (outcome.replies.length > 0) account.kickOutbox();
    const failed = outcome.status === 'failed' && result.type === 'failed' ? result : null;
    const errorText = failed && publicErrorMessage(failed.error);
    this.#endRuns(errorText);
    account.setStatus(others ?? (errorText === null ? { status: 'idle' } : { status: 'error', errorText }));
    events.onTurnEnded(
      this.#now(),
      failed
        ? { status: 'failed', error: failed.error, partialText: failed.partialText }
        : { status: outcome.status === 'done' ? 'done' : 'silent', replyIds: replyIdsIn(outcome) },
    );
  }

  #endRuns(errorText: string | null): void {
    const { account, random } = this.#deps;
    account.processingEnded(
      this.#work.map(({ message }, index) => {
        const runId = index === 0 ? this.#runId : newRunId(random);
        const run = { runId, messageId: message.envelopeId };
        return errorText === null ? { ...run, succeeded: true } : { ...run, succeeded: false, errorText };
      }),
    );
  }

  #traced(line: TurnTrace): void {
    if (this.trace.length < maxTrace) this.trace.push(line);
    this.#deps.events.onTraced(this.#turn, line);
  }

  /** Includes the messages taken by now. */
  #now(): TurnInfo {
    return { ...this.#turn, envelopeIds: idsOf(this.#work) };
  }

  /** Shown while an agent works, e.g. "answering in #general". */
  #activityFor({ channelId, senderSlug }: StoredMessage): HostText {
    if (channelId) return say('steps.answeringIn', { room: this.#deps.account.channelName(channelId) });
    return say('steps.answering', { person: senderSlug });
  }
}

export const idsOf = (work: readonly OpenWork[]): readonly string[] =>
  work.map(({ message }) => message.envelopeId);

/** The replies, or the message of a tool that serves as the reply. */
const replyIdsIn = ({ replies, stepsUnder }: TurnOutcome): readonly string[] => {
  const ids = replies.map((reply) => reply.envelopeId);
  return ids.length > 0 || stepsUnder === undefined ? ids : [stepsUnder];
};
