/** The API of a host for every client, and a client's side of any transport. */
import type { Principal } from './method-row.ts';
import type { MethodInput, MethodName, MethodOutput } from './methods.ts';
import type { FeedEvent } from './patch.ts';
import type { Result } from './result.ts';
import type { TopicName } from './topics.ts';

export type FeedSink = (event: FeedEvent) => void;

/** Never throws; a bug is returned as `internal`. */
export interface HostApi {
  call(principal: Principal, method: string, input: unknown): Promise<Result<unknown>>;
  /** The sink gets a snapshot at once, then patches until stopped. */
  subscribe(principal: Principal, topic: string, sink: FeedSink): Result<() => void>;
}

/** A client's side: the transport determines the principal. */
export interface HostClient {
  call<M extends MethodName>(method: M, input: MethodInput<M>): Promise<Result<MethodOutput<M>>>;
  subscribe(topic: TopicName, sink: FeedSink): () => void;
}
