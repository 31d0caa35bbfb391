/**
 * Runs one turn for a batch: adds its messages to the transcript, runs the runtime, passes on new messages,
 * reports to the account and the watchers, and returns the outcome to commit. Status updates to the server
 * are best effort and never delay a reply.
 */

import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { systemPrompt } from '../agents/prompt.ts';
import type { TurnTrace } from '../agents/turn-records.ts';
import { raceAgainst, sleep } from '../lib/sleep.ts';
import { despiteStore, StoreError } from '../lib/store-error.ts';
import { textBlock, type UserMessage } from '../models/messages.ts';
import type { AccountStatus, ProcessingRun } from '../puffo/account-port.ts';
import type { OpenWork, TurnOutcome, TurnTaken } from '../puffo/account-store.ts';
import { newEnvelopeId, newRunId } from '../puffo/ids.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import { publicErrorMessage } from './public-error-message.ts';
import type { TurnArrivals, TurnInput, TurnSlot } from './runtime-port.ts';
import { batchMessage } from './turn-blocks.ts';
import { failedOutcome, turnOutcome } from './turn-outcome.ts';
import type { Batch } from './turn-queue.ts';
import { runTurn, type TurnResult } from './turn-run.ts';
import type { TurnContext, TurnInfo, WorkerDeps } from './worker-ports.ts';

export interface TurnDone {
  readonly turn: TurnInfo;
  readonly outcome: TurnOutcome;
  /** Call after the commit. */
  committed(): void;
  /** Call if this host run will not commit it. */
  abandoned(): void;
}

export interface TurnJob {
  readonly batch: Batch;
  /** Grows by the messages that the turn takes while it runs. */
  readonly work: OpenWork[];
  readonly signal: AbortSignal;
  /** Takes the waiting messages of the same conversation; they are in flight from then on. */
  arrived(): readonly OpenWork[];
  readonly place: TurnSlot;
  /** Whether the turn has lent its slot, while a person is asked. */
  away(): boolean;
  /** Account status for its other work. */
  restStatus(): AccountStatus | null;
}

const kicks = 3;
const contextMs = 15_000;
/** Most trace lines of one turn. */
const maxTrace = 2_000;

type Ended = Exclude<TurnResult, { type: 'interrupted' }>;

/** `null` if the turn was interrupted; its messages stay open. Throws `StoreError`. */
export async function workOnBatch(deps: WorkerDeps, job: TurnJob): Promise<TurnDone | null> {
  const { account, events } = deps;
  const first = job.work[0];
  if (!first) return null;
  const runId = newRunId(deps.random);
  const turn = turnOf(deps, job);
  events.onTurnStarted(turn);
  events.onActivity(turn, activityFor(deps, first.message));
  account.setStatus({ status: 'busy', messageId: first.message.envelopeId });
  account.processingStarted({ runId, messageId: first.message.envelopeId });

  const endRuns = (errorText: string | null): void => {
    account.processingEnded(
      job.work.map(({ message }, index) =>
        runOf(deps, index === 0 ? runId : null, message.envelopeId, errorText),
      ),
    );
  };
  const abandoned = (): void => {
    endRuns('Kennel was stopped; the message is taken up again at the next start.');
    events.onTurnEnded(now(turn, job), { status: 'interrupted' });
  };
  let answered: Awaited<ReturnType<typeof answer>>;
  try {
    answered = await answer(deps, job, turn);
  } catch (error) {
    abandoned();
    throw error;
  }
  if (!answered) {
    abandoned();
    return null;
  }
  const { outcome, result } = answered;
  return {
    turn,
    outcome,
    abandoned,
    committed: () => {
      if (outcome.replies.length > 0) account.kickOutbox();
      const failed = outcome.status === 'failed' && result.type === 'failed' ? result : null;
      const errorText = failed ? publicErrorMessage(failed.error) : null;
      endRuns(errorText);
      const own =
        errorText === null ? ({ status: 'idle' } as const) : { status: 'error' as const, errorText };
      account.setStatus(job.restStatus() ?? own);
      events.onTurnEnded(
        now(turn, job),
        failed
          ? { status: 'failed', error: failed.error, partialText: failed.partialText }
          : {
              status: outcome.status === 'done' ? 'done' : 'silent',
              replyIds: saidIn(outcome),
            },
      );
    },
  };
}

const idsOf = (work: readonly OpenWork[]): readonly string[] => work.map(({ message }) => message.envelopeId);

/** Includes the messages taken by now. */
const now = (turn: TurnInfo, job: TurnJob): TurnInfo => ({ ...turn, envelopeIds: idsOf(job.work) });

function turnOf(deps: WorkerDeps, { batch, work }: TurnJob): TurnInfo {
  return {
    turnId: batch.turn?.turnId ?? `turn_${deps.random.uuid()}`,
    roomId: batch.roomId,
    rootId: batch.rootId,
    threadKey: batch.threadKey,
    envelopeIds: idsOf(work),
    startedAt: batch.turn?.startedAt ?? deps.clock.now(),
  };
}

const takenBy = (turn: TurnInfo, job: TurnJob): TurnTaken => ({
  turnId: turn.turnId,
  threadKey: turn.threadKey,
  roomId: turn.roomId,
  rootId: turn.rootId,
  envelopeIds: idsOf(job.work),
  startedAt: turn.startedAt,
});

async function answer(
  deps: WorkerDeps,
  job: TurnJob,
  turn: TurnInfo,
): Promise<{ outcome: TurnOutcome; result: Ended } | null> {
  const context = await readContext(deps, turn.roomId, job.signal);
  if (!job.batch.turn) {
    const said = await batchMessage({ ...deps, signal: job.signal }, job.work, context);
    const noted = await withNotes(deps, turn.threadKey, said);
    if (job.signal.aborted && job.signal.reason !== 'stopped') return null;
    deps.store.takeIntoTurn(takenBy(turn, job), noted.message);
    noted.given();
  }
  const steps = new Map<string, ToolStep>();
  const trace: TurnTrace[] = [];
  const input: TurnInput = {
    turnId: turn.turnId,
    agentId: deps.agentId,
    threadKey: turn.threadKey,
    firstSeq: deps.store.openTurn(turn.threadKey)?.firstSeq ?? 0,
    system: systemPrompt(context.prompt, context.persona),
    untrustedNotes: context.untrustedNotes,
    answersIn: { roomId: turn.roomId, by: 'reply' },
    arrivals: arrivalsOf(deps, job, turn, context),
    place: job.place,
    tainted: isTainted(deps, job.work),
  };
  const parts = () => ({
    turnId: turn.turnId,
    threadKey: turn.threadKey,
    work: job.work,
    steps: [...steps.values()],
    trace,
    plainModel: context.plainModel,
    newEnvelopeId: () => newEnvelopeId(deps.random),
    at: deps.clock.now(),
  });
  for (let tries = 0; ; tries += 1) {
    const result = await run(deps, job, { turn, input, steps, trace });
    if (result.type === 'interrupted') return null;
    const outcome = turnOutcome({ ...parts(), result });
    if (outcome) return { outcome, result };
    const error = fail('model_error', 'turns.runtimeReportedApiError');
    if (tries >= kicks) {
      const failed: Ended = { type: 'failed', error, partialText: '', transcript: [] };
      return { outcome: failedOutcome(parts(), error, '', []), result: failed };
    }
    const inMs = Math.round(15_000 + 30_000 * deps.random.fraction());
    deps.events.onDraftReset(turn);
    traced(deps, { turn, trace }, { kind: 'retry', at: deps.clock.now(), inMs, error: messageOf(error) });
    deps.events.onRetrying(turn, { inMs, error });
    await sleep(deps.clock, inMs, job.signal);
  }
}

/** Messages that join the running turn are closed with it; the rest stay open for the next turn. */
function arrivalsOf(deps: WorkerDeps, job: TurnJob, turn: TurnInfo, context: TurnContext): TurnArrivals {
  return {
    async take() {
      if (context.onArrival !== 'steer') return null;
      const fresh = job.arrived();
      if (fresh.length === 0) return null;
      job.work.push(...fresh);
      const said = await batchMessage({ ...deps, signal: job.signal }, fresh, context);
      const { message, given } = await withNotes(deps, turn.threadKey, said);
      // A restarted host may already run this turn again.
      if (job.signal.aborted) return null;
      deps.store.takeIntoTurn(takenBy(turn, job), message);
      given();
      deps.events.onTurnTook(now(turn, job), idsOf(fresh));
      return { message, tainted: isTainted(deps, fresh) };
    },
  };
}

const notGiven = (): void => undefined;

/** Puts the notes of the host before the messages of a turn. */
async function withNotes(
  { notes, log }: WorkerDeps,
  threadKey: string,
  message: UserMessage,
): Promise<{ readonly message: UserMessage; given(): void }> {
  try {
    const noted = (await notes?.take(threadKey)) ?? null;
    if (!noted) return { message, given: notGiven };
    const content = [textBlock(`${noted.text}\n\n`), ...message.content];
    return { message: { ...message, content }, given: () => despiteStore(noted.given, undefined) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn('notes_not_read', { code: error.code });
    return { message, given: notGiven };
  }
}

/** Only the operator's messages do not taint the turn (T9). */
const isTainted = (deps: WorkerDeps, work: readonly OpenWork[]): boolean =>
  work.some(({ message }) => !deps.isOperator(message.senderSlug));

/** The replies, or the message of a tool that serves as the reply. */
const saidIn = ({ replies, stepsUnder }: TurnOutcome): readonly string[] => {
  const ids = replies.map((reply) => reply.envelopeId);
  return ids.length > 0 || stepsUnder === undefined ? ids : [stepsUnder];
};

interface Running {
  readonly turn: TurnInfo;
  readonly input: TurnInput;
  readonly steps: Map<string, ToolStep>;
  readonly trace: TurnTrace[];
}

function traced(deps: WorkerDeps, { turn, trace }: Pick<Running, 'turn' | 'trace'>, line: TurnTrace): void {
  if (trace.length < maxTrace) trace.push(line);
  deps.events.onTraced(turn, line);
}

function run(deps: WorkerDeps, job: TurnJob, { turn, input, steps, trace }: Running): Promise<TurnResult> {
  if (job.signal.aborted && job.signal.reason !== 'stopped') return Promise.resolve({ type: 'interrupted' });
  return runTurn({
    runtime: deps.runtime,
    turn: input,
    signal: job.signal,
    clock: deps.clock,
    log: deps.log,
    away: job.away,
    onEvent: (event) => {
      switch (event.type) {
        case 'text_delta':
          deps.events.onDelta(turn, event.text);
          return;
        case 'text_void':
          deps.events.onDraftReset(turn);
          return;
        case 'step':
          steps.set(event.step.callId, event.step);
          deps.events.onStep(turn, event.step);
          return;
        case 'model_called':
          traced(deps, { turn, trace }, event.call);
          return;
        case 'retrying': {
          const { inMs, error } = event;
          traced(
            deps,
            { turn, trace },
            { kind: 'retry', at: deps.clock.now(), inMs, error: messageOf(error) },
          );
          deps.events.onDraftReset(turn);
          deps.events.onActivity(turn, say('steps.retriesSoon', { why: messageOf(error) }));
          deps.events.onRetrying(turn, { inMs, error });
        }
      }
    },
  });
}

/** If the profile is unreadable, the agent still answers, without its role for one turn. */
async function readContext(deps: WorkerDeps, roomId: string, signal: AbortSignal): Promise<TurnContext> {
  try {
    const asked = await raceAgainst(deps.context(roomId), deps.clock, contextMs, signal);
    if (asked.type === 'value') return asked.value;
    throw new Error(`no context: ${asked.type}`);
  } catch (error) {
    deps.log.error('turn_context_failed', { agent: deps.agentId, error: String(error) });
    return {
      prompt: { primer: '', profile: '', memory: '' },
      persona: { displayName: '', slug: deps.account.slug, role: '' },
      untrustedNotes: '',
      maxInlineChars: 4_000,
      segmentChars: 2_000,
      plainModel: false,
      onArrival: 'steer',
    };
  }
}

function runOf(
  deps: WorkerDeps,
  runId: string | null,
  messageId: string,
  errorText: string | null,
): ProcessingRun {
  const base = { runId: runId ?? newRunId(deps.random), messageId };
  return errorText === null ? { ...base, succeeded: true } : { ...base, succeeded: false, errorText };
}

/** Shown while an agent works, e.g. "answering in #general". */
function activityFor(deps: WorkerDeps, message: StoredMessage): HostText {
  if (message.channelId)
    return say('steps.answeringIn', { room: deps.account.channelName(message.channelId) });
  return say('steps.answering', { person: message.senderSlug });
}
