/**
 * Records one claim's work on a task: each step is stored before a request or an effect, and ended with its
 * full result. No step starts after a stop request, a spent budget or the end of the claim, and an answered
 * step is never repeated.
 */
import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { assert } from '../lib/assert.ts';
import { type TranscriptMessage, transcriptText } from '../models/messages.ts';
import type { CallIntent, TranscriptEntry, TranscriptStore } from '../models/transcript-store.ts';
import { addSpent, noneSpent, type Spent } from '../models/usage.ts';
import type { Clock } from '../ports.ts';
import type { ClaimedSteps } from './claimed-steps.ts';
import type { Task } from './task.ts';
import { isForeignNote, notedIn } from './task-memory.ts';
import { finishTool, rememberTool } from './task-prompts.ts';
import type { StepEnd, TaskStep } from './task-step.ts';
import { callsNothing, modelCallId, nudgeAfter, seqOf, taskTalk, writeSummary } from './task-transcript.ts';

/** Why no further step starts. */
export type TaskStop =
  /** A person asked, or the claim is over; the store knows which. */
  | { readonly type: 'asked' }
  | { readonly type: 'lost'; readonly message: HostText }
  | { readonly type: 'budget'; readonly message: HostText }
  | { readonly type: 'finished'; readonly result: string }
  /** The task waits for a person or for the end of a run; its stored status is `waiting`. */
  | { readonly type: 'waiting' }
  /** The worker stops. */
  | { readonly type: 'left' };

export interface TaskJournalDeps {
  readonly task: Task;
  readonly steps: ClaimedSteps;
  readonly clock: Pick<Clock, 'now'>;
  /** Aborted when the worker must stop after its current step. */
  readonly leaving: AbortSignal;
  /** Called at the first reason to stop: interrupts the turn, which resumes later. */
  onStop(): void;
  /** Called when a step starts or ends. */
  onStep(step: TaskStep, task: Task): void;
}

const lost: TaskStop = { type: 'lost', message: say('tasks.otherWorker') };
const stopped = fail('cancelled', 'tasks.taskContinuesLater');

/** Ends the turn when the loop would continue; nothing is recorded. */
class TaskPaused extends Error {
  override readonly name = 'TaskPaused';
}

export class TaskJournal implements TranscriptStore {
  readonly #deps: TaskJournalDeps;
  readonly #entries: TranscriptEntry[];
  readonly #ended = new Set<string>();
  /** Open steps of this or an earlier claim, by call id of the model. */
  readonly #open = new Map<string, TaskStep>();
  #decision: TaskStep | null = null;
  #decisions = 0;
  #used: Spent = noneSpent;
  #stop: TaskStop | null = null;
  #idle: number;
  #last: number;
  /** Number of entries without a step. */
  #notes = 1;

  constructor(deps: TaskJournalDeps) {
    this.#deps = deps;
    const steps = deps.steps.all();
    const talk = taskTalk(deps.task, steps);
    this.#entries = [...talk.entries];
    this.#idle = talk.idle;
    this.#last = steps.at(-1)?.number ?? 0;
    for (const step of steps) {
      if (step.kind === 'decision') this.#decisions += 1;
      if (step.endedAt !== null) this.#ended.add(step.callId);
      else if (step.kind === 'decision') this.#decision = step;
      else this.#open.set(modelCallId(step.callId), step);
    }
    this.#closeRefused();
    const finish = steps.findLast(({ kind, action }) => kind === 'action' && action === finishTool);
    const last = steps.at(-1);
    // `finish` was recorded, but the host died before reporting it.
    if (finish && finish === last && finish.endedAt !== null && finish.error === null) {
      this.#stop = { type: 'finished', result: this.#finishedWith(finish) };
    }
  }

  /** The host stopped while it refused a call, so the call never ran. */
  #closeRefused(): void {
    for (const step of [...this.#open.values()].filter(({ digest }) => digest === '')) {
      const error = 'Kennel stopped while this call was looked at. It did not run; make it again.';
      const { toolCallId, toolName } = { toolCallId: modelCallId(step.callId), toolName: step.action };
      const content = [{ type: 'text' as const, text: error }];
      const timestamp = this.#deps.clock.now();
      this.#endAction(step, { role: 'toolResult', toolCallId, toolName, content, isError: true, timestamp });
    }
  }

  get stop(): TaskStop | null {
    return this.#stop;
  }

  /** Consecutive answers without a tool call. */
  get idle(): number {
    return this.#idle;
  }

  /** Whether a tool call is running. */
  get working(): boolean {
    return this.#open.size > 0;
  }

  /** Memory as stored now. */
  memory(): Task['memory'] {
    return this.#deps.steps.task()?.memory ?? {};
  }

  /** Whether a fact was noted while the context contained untrusted content (T9). */
  get foreign(): boolean {
    return this.#entries.some(({ message }) => isForeignNote(message));
  }

  /** Result passed to `finish`, from the details of the tool result. */
  #finishedWith(step: TaskStep): string {
    const kept = this.#entries.find(({ seq }) => seq === seqOf(step.number))?.message;
    const details = kept?.role === 'toolResult' ? kept.details : undefined;
    if (typeof details === 'object' && details !== null && 'finished' in details)
      return String(details.finished);
    return kept ? transcriptText(kept) : '';
  }

  /** Call id that is unique in this task and stable across repeats, because models may reuse ids. */
  stepCall(callId: string): string {
    return this.#open.get(callId)?.callId ?? this.#freeId(callId);
  }

  /** Position of this call in the newest answer, from 1. */
  callNumber(callId: string): number {
    const answer = this.#entries.findLast(({ message }) => message.role === 'assistant')?.message;
    const calls =
      answer?.role === 'assistant' ? answer.content.filter(({ type }) => type === 'toolCall') : [];
    return calls.findIndex((call) => call.type === 'toolCall' && call.id === callId) + 1;
  }

  halt(stop: TaskStop): void {
    if (this.#stop) return;
    this.#stop = stop;
    this.#deps.onStop();
  }

  /** Checked between two steps: false ends the turn here. */
  mayGoOn(): boolean {
    if (this.#stop) this.#deps.onStop();
    if (this.#stop) return false;
    const now = this.#deps.steps.claimedTask();
    if (!now) this.halt(lost);
    else if (now.asked !== null) this.halt({ type: 'asked' });
    else if (this.#deps.leaving.aborted) this.halt({ type: 'left' });
    return this.#stop === null;
  }

  /** Called before a model request. */
  requested(): Result<void> {
    if (!this.mayGoOn()) return err(stopped);
    if (this.#decision) return ok(undefined);
    const begun = this.#begin({
      kind: 'decision',
      action: 'decision',
      callId: `decision-${this.#decisions + 1}`,
    });
    if (!begun) return err(stopped);
    this.#decision = begun;
    this.#decisions += 1;
    return ok(undefined);
  }

  /** Called after a response, even a failed one. */
  spent(used: Spent): void {
    this.#used = addSpent(this.#used, used);
  }

  requestFailed(why: string): void {
    if (this.#decision) this.#endDecision({ result: null, error: why });
  }

  load(): readonly TranscriptEntry[] {
    return [...this.#entries];
  }

  append(_threadKey: string, messages: readonly TranscriptMessage[]): void {
    for (const message of messages) this.#add(message);
  }

  compact(_threadKey: string, keepFromSeq: number, summary: TranscriptMessage): void {
    const step = this.#decisionStep();
    this.#endDecision({ result: writeSummary(summary, keepFromSeq), error: null });
    const rest = this.#entries.filter(({ seq }) => seq >= keepFromSeq);
    this.#entries.splice(0, this.#entries.length, { seq: seqOf(step.number), message: summary }, ...rest);
  }

  callStarted(_threadKey: string, intent: CallIntent): void {
    const { callId, tool, digest, replay } = intent;
    const begun = this.#begin({
      kind: 'action',
      action: tool,
      digest,
      replay,
      callId: this.stepCall(callId),
    });
    if (!begun) throw new TaskPaused('The task goes on another time.');
    this.#open.set(callId, begun);
  }

  callEnded(_threadKey: string, callId: string, result: TranscriptMessage): void {
    const step = this.#open.get(callId);
    assert(step !== undefined, 'a call ends that was begun');
    this.#endAction(step, result);
  }

  openCalls(): readonly CallIntent[] {
    const { task } = this.#deps;
    return [...this.#open].map(([callId, { action, digest, replay, startedAt }]) => ({
      callId,
      turnId: `task-${task.id}`,
      tool: action,
      digest,
      args: {},
      replay,
      at: startedAt,
    }));
  }

  #add(message: TranscriptMessage): void {
    if (message.role === 'assistant') this.#answered(message);
    else if (message.role === 'toolResult') this.#refused(message);
    else {
      this.#notes += 1;
      this.#push(message, this.#last, this.#notes);
    }
  }

  #answered(message: TranscriptMessage): void {
    const step = this.#decisionStep();
    this.#endDecision({ result: JSON.stringify(message), error: null });
    this.#push(message, step.number);
    this.#idle = callsNothing(message) ? this.#idle + 1 : 0;
    if (callsNothing(message)) this.#entries.push(nudgeAfter(step.number, message.timestamp));
  }

  /** Records the result of a call that never ran or must not continue: unknown, not permitted, or invalid. */
  #refused(message: TranscriptMessage & { readonly role: 'toolResult' }): void {
    const { toolCallId, toolName } = message;
    const open = this.#open.get(toolCallId);
    if (open) {
      this.#endAction(open, message);
      return;
    }
    const callId = this.#freeId(toolCallId);
    const step = this.#begin({ kind: 'action', action: toolName, callId, digest: '', replay: 'safe' });
    if (!step) throw new TaskPaused('The task goes on another time.');
    this.#endAction(step, message);
  }

  #endAction(step: TaskStep, message: TranscriptMessage): void {
    const failed = message.role === 'toolResult' && message.isError;
    const memory = step.action === rememberTool && !failed ? notedIn(message) : {};
    const error = failed ? transcriptText(message) : null;
    this.#end(step, { result: JSON.stringify(message), error, memory });
    this.#open.delete(modelCallId(step.callId));
    this.#push(message, step.number);
    if (step.action === finishTool && !failed) {
      this.#stop ??= { type: 'finished', result: this.#finishedWith(step) };
    }
  }

  #decisionStep(): TaskStep {
    if (!this.#decision && !this.requested().ok) throw new TaskPaused('The task goes on another time.');
    assert(this.#decision !== null, 'a request has begun');
    return this.#decision;
  }

  #endDecision(end: StepEnd): void {
    const step = this.#decision;
    if (!step) return;
    this.#end(step, { ...end, used: this.#used });
    this.#decision = null;
    this.#used = noneSpent;
  }

  #begin(draft: Pick<TaskStep, 'kind' | 'action' | 'callId'> & Partial<TaskStep>): TaskStep | null {
    const whole = { digest: '', replay: 'safe' as const, ...draft };
    const { kind, action, callId, digest, replay } = whole;
    const begun = this.#deps.steps.start({ kind, action, callId, digest, replay });
    if (begun.ok) {
      this.#last = Math.max(this.#last, begun.value.step.number);
      this.#deps.onStep(begun.value.step, begun.value.task);
      return begun.value.step;
    }
    const { code } = begun.error;
    const message = messageOf(begun.error);
    if (code === 'rate_limited') this.halt({ type: 'budget', message });
    else this.halt(code === 'cancelled' ? { type: 'asked' } : { type: 'lost', message });
    return null;
  }

  #end(step: TaskStep, end: StepEnd): void {
    const ended = this.#deps.steps.end(step.number, end);
    if (!ended.ok) {
      this.halt({ type: 'lost', message: messageOf(ended.error) });
      throw new TaskPaused(ended.error.message);
    }
    this.#ended.add(step.callId);
    this.#deps.onStep(ended.value.step, ended.value.task);
  }

  #push(message: TranscriptMessage, step: number, place = 0): void {
    this.#entries.push({ seq: seqOf(step, Math.min(place, 15)), message });
  }

  /** Models may reuse call ids, and every step needs its own. */
  #freeId(callId: string): string {
    if (!this.#ended.has(callId)) return callId;
    for (let n = 2; ; n += 1) if (!this.#ended.has(`${callId}#${n}`)) return `${callId}#${n}`;
  }
}
