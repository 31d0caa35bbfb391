/** Feed topics in memory: a snapshot for each subscriber, then numbered patches. */

import { applyPatch } from '../../src/contract/apply-patch.ts';
import type { FeedSink } from '../../src/contract/host-api.ts';
import type { PatchOp } from '../../src/contract/patch.ts';

interface Held {
  state: unknown;
  revision: number;
  readonly sinks: Set<FeedSink>;
}

export class FakeFeed {
  private readonly topics = new Map<string, Held>();
  private readonly keptBack = new Set<string>();

  put(topic: string, state: unknown): void {
    this.topics.set(topic, { state, revision: 1, sinks: this.topics.get(topic)?.sinks ?? new Set() });
  }

  /** Sends no snapshot of the topic until the returned function is called. */
  keepBack(topic: string): () => void {
    this.keptBack.add(topic);
    return () => {
      this.keptBack.delete(topic);
      const held = this.topics.get(topic);
      for (const sink of held?.sinks ?? [])
        sink({ type: 'snapshot', revision: held?.revision ?? 0, state: held?.state });
    };
  }

  has(topic: string): boolean {
    return this.topics.has(topic);
  }

  read<T>(topic: string): T {
    return this.topics.get(topic)?.state as T;
  }

  patch(topic: string, ...ops: PatchOp[]): void {
    const held = this.topics.get(topic);
    if (held === undefined) return;
    held.state = applyPatch(held.state, ops);
    held.revision += 1;
    for (const sink of held.sinks) sink({ type: 'patch', revision: held.revision, ops });
  }

  /** Skips one patch, like a broken connection. */
  loseOne(topic: string): void {
    const held = this.topics.get(topic);
    if (held !== undefined) held.revision += 1;
  }

  listen(topic: string, sink: FeedSink): () => void {
    const held = this.topics.get(topic);
    if (held === undefined) {
      sink({ type: 'end', reason: 'There is no such topic.' });
      return () => undefined;
    }
    held.sinks.add(sink);
    if (!this.keptBack.has(topic)) sink({ type: 'snapshot', revision: held.revision, state: held.state });
    return () => held.sinks.delete(sink);
  }

  listeners(topic: string): number {
    return this.topics.get(topic)?.sinks.size ?? 0;
  }
}
