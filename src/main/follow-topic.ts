/** Keeps a copy of one topic from snapshots and patches; subscribes again after a gap or an end. */

import { applyPatch } from '../contract/apply-patch.ts';
import type { HostApi } from '../contract/host-api.ts';
import type { Principal } from '../contract/method-row.ts';
import type { TopicName, TopicState } from '../contract/topics.ts';

const owner: Principal = { kind: 'owner-ui' };

/** Calls `onState` with each new state until the returned function is called. */
export function followTopic<T extends TopicName>(
  host: HostApi,
  topic: T,
  onState: (state: TopicState[T]) => void,
): () => void {
  let state: TopicState[T] | undefined;
  let revision = -1;
  let stop = (): void => {};
  let stopped = false;

  function start(): void {
    const started = host.subscribe(owner, topic, (event) => {
      if (stopped || event.type === 'end') return;
      if (event.type === 'snapshot') state = event.state as TopicState[T];
      else if (state === undefined || event.revision !== revision + 1) return again();
      else state = applyPatch(state, event.ops);
      revision = event.revision;
      onState(state);
    });
    if (started.ok) stop = started.value;
  }

  function again(): void {
    stop();
    state = undefined;
    queueMicrotask(() => {
      if (!stopped) start();
    });
  }

  start();
  return () => {
    stopped = true;
    stop();
  };
}
