/**
 * One batch through one turn: builds the input, runs the runtime, tells the account and the watchers, and hands back
 * the outcome to be committed. Everything towards the server's status is best effort and never holds up a reply.
 */
import { appError } from '../../contract/errors.ts';
import { systemPrompt } from '../agents/prompt.ts';
import { raceAgainst, sleep } from '../lib/sleep.ts';
import { cutCodePoints } from '../lib/text.ts';
import type { ModelMessage, ProcessingRun, StoredMessage, TurnInput, TurnOutcome } from '../ports.ts';
import { newEnvelopeId, newRunId } from '../puffo/ids.ts';
import { batchText } from './turn-blocks.ts';
import { failedOutcome, outcomeOf } from './turn-outcome.ts';
import type { Batch } from './turn-queue.ts';
import { runTurn, type TurnResult } from './turn-run.ts';
import type { TurnContext, TurnInfo, WorkerDeps } from './worker-ports.ts';

export interface TurnDone {
  readonly turn: TurnInfo;
  readonly outcome: TurnOutcome;
  /** Call after the commit. */
  committed(): void;
  /** Call when it will not be committed in this life. */
  abandoned(): void;
}

const historyEntries = 60;
const kicks = 3;
const contextMs = 15_000;
/** Code points of an error text on the server (spec §6.5). */
const errorTextLimit = 1_024;

/** Null when it was stopped in the middle; its messages stay open. */
export async function workOnBatch(
  deps: WorkerDeps,
  batch: Batch,
  signal: AbortSignal,
): Promise<TurnDone | null> {
  const { account, clock, events } = deps;
  const runId = newRunId(deps.random);
  const ids = batch.work.map(({ message }) => message.envelopeId);
  const first = batch.work[0];
  if (!first) return null;
  const turn: TurnInfo = {
    turnId: `turn_${deps.random.uuid()}`,
    roomId: batch.roomId,
    rootId: batch.rootId,
    envelopeIds: ids,
    startedAt: clock.now(),
  };
  events.onTurnStarted(turn);
  events.onActivity(activityFor(deps, first.message));
  account.setStatus({ status: 'busy', messageId: first.message.envelopeId });
  account.processingStarted({ runId, messageId: first.message.envelopeId });

  const endRuns = (errorText: string | null): void => {
    account.processingEnded(
      ids.map((messageId, index) => runOf(deps, index === 0 ? runId : null, messageId, errorText)),
    );
  };
  const abandoned = (): void => {
    endRuns('Kennel was stopped; the message is taken up again at the next start.');
    events.onActivity('');
    events.onTurnEnded(turn, { status: 'interrupted' });
  };

  const answered = await answer(deps, { batch, turn, signal });
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
      const errorText = failed ? cutCodePoints(failed.error.message, errorTextLimit) : null;
      endRuns(errorText);
      account.setStatus(errorText === null ? { status: 'idle' } : { status: 'error', errorText });
      events.onActivity('');
      events.onTurnEnded(
        turn,
        failed
          ? { status: 'failed', error: failed.error, partialText: failed.partialText }
          : {
              status: outcome.status === 'silent' ? 'silent' : 'done',
              replyIds: outcome.replies.map((reply) => reply.envelopeId),
            },
      );
    },
  };
}

interface Job {
  readonly batch: Batch;
  readonly turn: TurnInfo;
  readonly signal: AbortSignal;
}

type Ended = Exclude<TurnResult, { type: 'interrupted' }>;

async function answer(deps: WorkerDeps, job: Job): Promise<{ outcome: TurnOutcome; result: Ended } | null> {
  const context = await readContext(deps, job.signal);
  const input = await batchText({ ...deps, signal: job.signal }, job.batch.work, context);
  const parts = {
    turnId: job.turn.turnId,
    batch: job.batch,
    input,
    plainModel: context.plainModel,
    newEnvelopeId: () => newEnvelopeId(deps.random),
  };
  const turnInput: TurnInput = {
    turnId: job.turn.turnId,
    agentId: deps.agentId,
    system: systemPrompt(context.prompt, context.persona),
    messages: [...history(deps), { role: 'user', content: input }],
  };
  for (let tries = 0; ; tries += 1) {
    const result = await run(deps, job, turnInput);
    if (result.type === 'interrupted') return null;
    const outcome = outcomeOf({ ...parts, result, at: deps.clock.now() });
    if (outcome) return { outcome, result };
    const error = appError('model_error', 'The runtime reported an API error instead of an answer.');
    if (tries >= kicks) {
      const failed: Ended = { type: 'failed', error, partialText: '' };
      return { outcome: failedOutcome({ ...parts, at: deps.clock.now() }, error, ''), result: failed };
    }
    const inMs = Math.round(15_000 + 30_000 * deps.random.fraction());
    deps.events.onDraftReset(job.turn);
    deps.events.onRetrying(job.turn, { inMs, error });
    await sleep(deps.clock, inMs, job.signal);
  }
}

function run(deps: WorkerDeps, job: Job, turn: TurnInput): Promise<TurnResult> {
  if (job.signal.aborted) return Promise.resolve({ type: 'interrupted' });
  return runTurn({
    runtime: deps.runtime,
    turn,
    signal: job.signal,
    clock: deps.clock,
    log: deps.log,
    onEvent: (event) => {
      if (event.type === 'text_delta') {
        deps.events.onDelta(job.turn, event.text);
        return;
      }
      deps.events.onDraftReset(job.turn);
      deps.events.onActivity(`waiting to try again: ${event.error.message}`);
      deps.events.onRetrying(job.turn, { inMs: event.inMs, error: event.error });
    },
  });
}

const history = (deps: WorkerDeps): readonly ModelMessage[] => deps.store.conversation(historyEntries);

/** An unreadable profile costs the agent its role for one turn, not its voice. */
async function readContext(deps: WorkerDeps, signal: AbortSignal): Promise<TurnContext> {
  try {
    const asked = await raceAgainst(deps.context(), deps.clock, contextMs, signal);
    if (asked.type === 'value') return asked.value;
    throw new Error(`no context: ${asked.type}`);
  } catch (error) {
    deps.log.error('turn_context_failed', { agent: deps.agentId, error: String(error) });
    return {
      prompt: { primer: '', profile: '', memory: '' },
      persona: { displayName: '', slug: deps.account.slug, role: '' },
      maxInlineChars: 4_000,
      segmentChars: 2_000,
      plainModel: false,
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
function activityFor(deps: WorkerDeps, message: StoredMessage): string {
  if (message.channelId) return `answering in #${deps.account.channelName(message.channelId)}`;
  return `answering @${message.senderSlug}`;
}
