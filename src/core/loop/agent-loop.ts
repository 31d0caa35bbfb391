/**
 * Agent loop: call the model, run its tool calls, and repeat until it makes no call and no message is queued.
 * Plain functions; `agent_end` always comes last, and after an abort no request or call starts.
 */
import { errorText } from '../../contract/errors.ts';
import type {
  AssistantMessage,
  ToolCallBlock,
  ToolResultMessage,
  TranscriptMessage,
} from '../models/messages.ts';
import { failed } from './agent-state.ts';
import { endedMessage } from './guarded-stream.ts';
import type { TurnView } from './loop-config.ts';
import { guardOf } from './model-request.ts';
import { modelTurn } from './model-turn.ts';
import { addWhole, type Run } from './run.ts';
import { runBatch } from './tool-batch.ts';

export type Start =
  | {
      readonly type: 'prompt';
      readonly messages: readonly TranscriptMessage[];
      /** Some messages came from the steering queue: do not read it again before the first answer. */
      readonly skipSteering?: boolean;
    }
  /** The last message of the transcript needs an answer. */
  | { readonly type: 'continue' }
  /** First runs the calls of `message` that have no result yet. */
  | { readonly type: 'calls'; readonly message: AssistantMessage; readonly calls: readonly ToolCallBlock[] };

/** Whether another turn follows; `null` leaves it to the loop. */
type Verdict = 'continue' | 'end' | null;

const callsOf = (message: AssistantMessage): readonly ToolCallBlock[] =>
  message.content.filter((block) => block.type === 'toolCall');

async function openTurn(run: Run, messages: readonly TranscriptMessage[]): Promise<void> {
  run.turnOpen = true;
  const waiting = run.emit({ type: 'turn_start' });
  if (waiting) await waiting;
  for (const message of messages) await addWhole(run, message);
}

async function closeTurn(
  run: Run,
  message: AssistantMessage,
  toolResults: readonly ToolResultMessage[],
): Promise<void> {
  run.turnOpen = false;
  const waiting = run.emit({ type: 'turn_end', message, toolResults });
  if (waiting) await waiting;
}

async function steering(run: Run): Promise<readonly TranscriptMessage[]> {
  return (await run.config.getSteeringMessages?.()) ?? [];
}

async function judge(run: Run, turn: TurnView, terminate: boolean): Promise<Verdict> {
  const { config } = run;
  const said = config.finishTurn ? await config.finishTurn(turn, run.signal) : undefined;
  if (terminate || said === 'end') return 'end';
  if (config.isComplete && (await config.isComplete(turn))) return 'end';
  return said ?? null;
}

/** Answer, calls, end of the turn. `null` if the run is over. */
async function finish(
  run: Run,
  message: AssistantMessage,
  calls: readonly ToolCallBlock[],
): Promise<{ readonly turn: TurnView; readonly goOn: boolean } | null> {
  if (failed(message)) {
    await closeTurn(run, message, []);
    return null;
  }
  const { results, terminate } = await runBatch(run, message, calls);
  const turn: TurnView = { message, toolResults: results, messages: run.transcript.messages };
  const { finishTurn, isComplete } = run.config;
  const verdict = finishTurn || isComplete || terminate ? await judge(run, turn, terminate) : null;
  await closeTurn(run, message, results);
  if (run.signal.aborted || verdict === 'end') return null;
  return { turn, goOn: verdict === 'continue' || calls.length > 0 };
}

/** Messages of the next turn; `null` without one. */
async function nextMessages(
  run: Run,
  turn: TurnView,
  goOn: boolean,
): Promise<readonly TranscriptMessage[] | null> {
  const { config } = run;
  let queued = config.getSteeringMessages ? await steering(run) : [];
  let more = goOn || queued.length > 0;
  if (!more && config.getFollowUpMessages) {
    queued = await config.getFollowUpMessages();
    more = queued.length > 0;
  }
  if (!more) return null;
  if (config.prepareNextTurn) {
    const changed = await config.prepareNextTurn(turn, run.signal);
    if (changed) Object.assign(run.settings, changed);
    if (queued.length === 0) queued = await steering(run);
  }
  return queued;
}

async function turns(run: Run, start: Start): Promise<void> {
  const { config } = run;
  const skip = start.type === 'prompt' && start.skipSteering === true;
  await openTurn(run, start.type === 'prompt' ? start.messages : []);
  if (start.type !== 'calls' && !skip && config.getSteeringMessages) {
    for (const message of await steering(run)) await addWhole(run, message);
  }
  let message = start.type === 'calls' ? start.message : await modelTurn(run);
  let calls = start.type === 'calls' ? start.calls : callsOf(message);
  for (;;) {
    const done = await finish(run, message, calls);
    if (!done) return;
    const queued = await nextMessages(run, done.turn, done.goOn);
    // Messages taken from a queue are not lost on abort: they get a turn without a request.
    if (!queued || (run.signal.aborted && queued.length === 0)) return;
    await openTurn(run, queued);
    message = await modelTurn(run);
    calls = callsOf(message);
  }
}

/**
 * A hook or the journal threw: end the run with an error message, and emit the events that listeners expect.
 */
async function endBroken(run: Run, error: unknown): Promise<void> {
  const text = errorText(error);
  const message = endedMessage(guardOf(run), null, 'error', text);
  if (!run.turnOpen) await openTurn(run, []);
  try {
    await addWhole(run, message);
  } catch {
    // the journal failed again: the listeners were notified, and nothing more can be done
    run.created.push(message);
  }
  await closeTurn(run, message, []);
}

/** `emit` must not throw. */
export async function runLoop(run: Run, start: Start): Promise<void> {
  await run.emit({ type: 'agent_start' });
  try {
    await turns(run, start);
  } catch (error) {
    await endBroken(run, error);
  }
  await run.emit({ type: 'agent_end', messages: run.created });
}
