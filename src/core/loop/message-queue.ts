/** Messages queued for a running agent: taken one by one or all together. */
import type { TranscriptMessage } from '../models/messages.ts';

export type QueueMode = 'one-at-a-time' | 'all';

export class MessageQueue {
  mode: QueueMode;
  #waiting: TranscriptMessage[] = [];

  constructor(mode: QueueMode) {
    this.mode = mode;
  }

  get size(): number {
    return this.#waiting.length;
  }

  add(message: TranscriptMessage): void {
    this.#waiting.push(message);
  }

  take(): readonly TranscriptMessage[] {
    return this.#waiting.splice(0, this.mode === 'all' ? this.#waiting.length : 1);
  }

  clear(): void {
    this.#waiting = [];
  }
}
