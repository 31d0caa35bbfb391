/**
 * An agent: a transcript, two queues, and at most one run at a time. Misuse (a second prompt during a run)
 * rejects and does not affect the run; errors inside a run appear in `state.errorMessage`, never as an
 * exception.
 */
import {
  type ImageBlock,
  type TranscriptMessage,
  type UserMessage,
  userMessage,
} from '../models/messages.ts';
import { runLoop, type Start } from './agent-loop.ts';
import { idleState, type LiveState, reduce, unansweredCalls } from './agent-state.ts';
import type { AgentEvent } from './events.ts';
import { type AgentListener, Listeners } from './listeners.ts';
import type { LoopConfig, LoopSettings } from './loop-config.ts';
import { MessageQueue, type QueueMode } from './message-queue.ts';
import type { Run } from './run.ts';
import { Transcript } from './transcript.ts';

export interface AgentOptions
  extends Omit<LoopConfig, 'getSteeringMessages' | 'getFollowUpMessages'>,
    Readonly<LoopSettings> {
  readonly messages?: readonly TranscriptMessage[];
  readonly steeringMode?: QueueMode;
  readonly followUpMode?: QueueMode;
  onListenerError?(error: unknown, event: AgentEvent): void;
}

/** Live view of the agent: read it, do not keep it. */
export interface AgentState extends Readonly<Omit<LiveState, 'pendingToolCalls'>>, Readonly<LoopSettings> {
  readonly messages: readonly TranscriptMessage[];
  readonly pendingToolCalls: ReadonlySet<string>;
}

interface ActiveRun {
  readonly controller: AbortController;
  done: Promise<void>;
}

export class Agent {
  readonly #config: LoopConfig;
  readonly #settings: LoopSettings;
  readonly #transcript: Transcript;
  readonly #listeners: Listeners;
  readonly #steering: MessageQueue;
  readonly #followUps: MessageQueue;
  readonly #live = idleState();
  #active: ActiveRun | null = null;

  constructor(options: AgentOptions) {
    const { system, tools, model, thinkingLevel } = options;
    this.#settings = { system, tools, model, thinkingLevel };
    this.#transcript = new Transcript(options.messages);
    this.#listeners = new Listeners((error, event) => options.onListenerError?.(error, event));
    this.#steering = new MessageQueue(options.steeringMode ?? 'one-at-a-time');
    this.#followUps = new MessageQueue(options.followUpMode ?? 'one-at-a-time');
    this.#config = {
      ...options,
      getSteeringMessages: () => this.#steering.take(),
      getFollowUpMessages: () => this.#followUps.take(),
    };
  }

  get state(): AgentState {
    const { isStreaming, streamingMessage, pendingToolCalls, errorMessage } = this.#live;
    const { messages } = this.#transcript;
    return { ...this.#settings, messages, isStreaming, streamingMessage, pendingToolCalls, errorMessage };
  }

  get hasQueuedMessages(): boolean {
    return this.#steering.size + this.#followUps.size > 0;
  }

  /** Aborts with the current run; `null` while idle. */
  get signal(): AbortSignal | null {
    return this.#active?.controller.signal ?? null;
  }

  /** Applies from the next request on. */
  configure(settings: Partial<LoopSettings>): void {
    Object.assign(this.#settings, settings);
  }

  subscribe(listener: AgentListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Resolves when the run has ended and its listeners have finished, even after an error. */
  async prompt(
    input: string | TranscriptMessage | readonly TranscriptMessage[],
    images: readonly ImageBlock[] = [],
  ): Promise<void> {
    this.#mustBeIdle('prompt');
    const messages = typeof input === 'string' ? [this.#said(input, images)] : [input].flat();
    if (messages.length === 0) throw new Error('There is nothing to prompt with.');
    await this.#run({ type: 'prompt', messages });
  }

  /**
   * Continues from the transcript: runs calls without a result, answers an unanswered message, otherwise
   * takes from a queue.
   */
  async continue(): Promise<void> {
    this.#mustBeIdle('continue');
    const last = this.#transcript.last;
    if (!last) throw new Error('There is nothing to continue: the transcript is empty.');
    const open = unansweredCalls(this.#transcript.messages);
    if (open) return this.#run({ type: 'calls', ...open });
    if (last.role !== 'assistant') return this.#run({ type: 'continue' });
    const steered = this.#steering.take();
    if (steered.length > 0) return this.#run({ type: 'prompt', messages: steered, skipSteering: true });
    const followed = this.#followUps.take();
    if (followed.length > 0) return this.#run({ type: 'prompt', messages: followed });
    throw new Error('There is nothing to continue: the last message is an answer and nothing is queued.');
  }

  /** Delivered at the next turn of this run or of the next one. */
  steer(message: string | TranscriptMessage): void {
    this.#steering.add(typeof message === 'string' ? this.#said(message) : message);
  }

  /** Delivered when the agent would otherwise stop. */
  followUp(message: string | TranscriptMessage): void {
    this.#followUps.add(typeof message === 'string' ? this.#said(message) : message);
  }

  setSteeringMode(mode: QueueMode): void {
    this.#steering.mode = mode;
  }

  setFollowUpMode(mode: QueueMode): void {
    this.#followUps.mode = mode;
  }

  clearSteeringQueue(): void {
    this.#steering.clear();
  }

  clearFollowUpQueue(): void {
    this.#followUps.clear();
  }

  /** Returns at once; `waitForIdle` resolves when the run has ended. */
  abort(): void {
    this.#active?.controller.abort();
  }

  async waitForIdle(): Promise<void> {
    await this.#active?.done;
  }

  /** Clears transcript, queues and error. */
  reset(): void {
    this.#mustBeIdle('reset');
    this.#transcript.replace([]);
    this.#steering.clear();
    this.#followUps.clear();
    Object.assign(this.#live, { errorMessage: null, streamingMessage: null });
  }

  #mustBeIdle(what: string): void {
    if (this.#active)
      throw new Error(`The agent is running: ${what} has to wait. Use steer or followUp, or abort it.`);
  }

  #said(text: string, images: readonly ImageBlock[] = []): UserMessage {
    const message = userMessage(text, this.#config.clock.now());
    return images.length === 0 ? message : { ...message, content: [...message.content, ...images] };
  }

  #run(start: Start): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const run: Run = {
      config: this.#config,
      settings: this.#settings,
      transcript: this.#transcript,
      signal,
      created: [],
      turnOpen: false,
      overflows: 0,
      emit: (event) => {
        reduce(this.#live, event);
        if (event.type === 'agent_end' && signal.aborted) this.#live.errorMessage ??= 'The run was aborted.';
        return this.#listeners.tell(event, signal);
      },
    };
    // Set before the first event, because a listener may abort at once.
    const active: ActiveRun = { controller, done: Promise.resolve() };
    this.#active = active;
    active.done = runLoop(run, start).finally(() => {
      this.#active = null;
      this.#live.isStreaming = false;
    });
    return active.done;
  }
}
