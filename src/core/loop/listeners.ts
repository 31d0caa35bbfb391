/**
 * Calls every listener for every event, one after the other in subscription order, and awaits returned
 * promises. An error of a listener is reported, and the run continues.
 */
import type { AgentEvent } from './events.ts';

export type AgentListener = (event: AgentEvent, signal: AbortSignal) => Promise<void> | undefined | void;

export class Listeners {
  readonly #onError: (error: unknown, event: AgentEvent) => void;
  #all: readonly AgentListener[] = [];

  constructor(onError: (error: unknown, event: AgentEvent) => void) {
    this.#onError = onError;
  }

  add(listener: AgentListener): () => void {
    this.#all = [...this.#all, listener];
    return () => {
      this.#all = this.#all.filter((each) => each !== listener);
    };
  }

  tell(event: AgentEvent, signal: AbortSignal): Promise<void> | undefined {
    return this.#from(this.#all, 0, event, signal);
  }

  #from(
    all: readonly AgentListener[],
    first: number,
    event: AgentEvent,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    for (let at = first; at < all.length; at += 1) {
      const waiting = this.#one(all[at], event, signal);
      if (waiting) return waiting.then(() => this.#from(all, at + 1, event, signal));
    }
    return undefined;
  }

  #one(
    listener: AgentListener | undefined,
    event: AgentEvent,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    try {
      const waiting = listener?.(event, signal);
      return waiting instanceof Promise
        ? waiting.catch((error: unknown) => this.#failed(error, event))
        : undefined;
    } catch (error) {
      this.#failed(error, event);
      return undefined;
    }
  }

  #failed(error: unknown, event: AgentEvent): void {
    try {
      this.#onError(error, event);
    } catch {
      // an error reporter that throws has no further reporter
    }
  }
}
