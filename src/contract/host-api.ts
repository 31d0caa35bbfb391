/** Door 1: what a host offers to every client, and what a client's end of any transport looks like. */
import type { Principal } from './method-row.ts';
import type { MethodInput, MethodName, MethodOutput } from './methods.ts';
import type { FeedEvent } from './patch.ts';
import type { Result } from './result.ts';
import type { TopicName } from './topics.ts';

export type FeedSink = (event: FeedEvent) => void;

/** Nothing is thrown across this door; a bug comes back as `internal`. */
export interface HostApi {
  call(principal: Principal, method: string, input: unknown): Promise<Result<unknown>>;
  /** The sink gets a snapshot at once, then patches, until stopped. */
  subscribe(principal: Principal, topic: string, sink: FeedSink): Result<() => void>;
}

/** A client's end: the principal is fixed by the transport. */
export interface HostClient {
  call<M extends MethodName>(method: M, input: MethodInput<M>): Promise<Result<MethodOutput<M>>>;
  subscribe(topic: TopicName, sink: FeedSink): () => void;
}
