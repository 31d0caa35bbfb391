/**
 * Stores one topic of the feed. Events of one animation frame are folded into one change, unchanged branches
 * keep their identity, and a gap in the revisions causes a new subscription with a fresh snapshot.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { applyPatch } from '../../contract/apply-patch.ts';
import type { HostClient } from '../../contract/host-api.ts';
import type { FeedEvent } from '../../contract/patch.ts';
import type { TopicName } from '../../contract/topics.ts';
import type { HostText } from '../../language/host-message.ts';

export interface TopicValue<T> {
  /** `null` until the first snapshot; kept, although stale, while disconnected. */
  readonly state: T | null;
  /** The host's reason for closing the topic, or `null`. */
  readonly ended: HostText | null;
}

export interface Topic<T> {
  readonly store: StoreApi<TopicValue<T>>;
  /** Reference-counted: the first user subscribes, the last one to leave unsubscribes. */
  use(): () => void;
}

export type Schedule = (run: () => void) => void;

const retryEndedMs = 2000;

interface Draft<T> {
  state: T | null;
  revision: number;
  ended: HostText | null;
  gap: boolean;
}

/** Lets a topic keep data that an event removed; it gets the state before and after the event. */
export type Track<T> = (before: T | null, after: T) => T;

function fold<T>(draft: Draft<T>, event: FeedEvent, track: Track<T>): Draft<T> {
  if (event.type === 'snapshot')
    return { state: event.state as T, revision: event.revision, ended: null, gap: false };
  if (event.type === 'end') return { ...draft, ended: event.reason };
  if (draft.gap || draft.state === null || event.revision !== draft.revision + 1)
    return { ...draft, gap: true };
  const state = track(draft.state, applyPatch(draft.state, event.ops));
  return { ...draft, state, revision: event.revision };
}

export function createTopic<T>(
  client: HostClient,
  name: TopicName,
  schedule: Schedule,
  track: Track<T> = (_before, after) => after,
): Topic<T> {
  const store = createStore<TopicValue<T>>(() => ({ state: null, ended: null }));
  let draft: Draft<T> = { state: null, revision: 0, ended: null, gap: false };
  let queue: FeedEvent[] = [];
  let users = 0;
  let stop: (() => void) | null = null;

  const start = (): void => {
    draft = { ...draft, gap: false };
    stop = client.subscribe(name, (event) => {
      queue.push(event);
      if (queue.length === 1) schedule(flush);
    });
  };
  const restart = (): void => {
    if (users === 0) return;
    stop?.();
    queue = [];
    start();
  };
  const flush = (): void => {
    const events = queue;
    queue = [];
    const before = draft;
    draft = events.reduce((now, event) => fold(now, event, track), draft);
    if (draft.state !== before.state || draft.ended !== before.ended)
      store.setState({ state: draft.state, ended: draft.ended });
    if (draft.gap) restart();
    else if (draft.ended !== null) setTimeout(restart, retryEndedMs);
  };

  return {
    store,
    use: () => {
      users += 1;
      if (users === 1) start();
      return () => {
        users -= 1;
        if (users > 0) return;
        stop?.();
        stop = null;
      };
    },
  };
}

/** Runs once per frame; a hidden page renders no frames, so it uses a slow timer. */
export const perFrame: Schedule = (run) => {
  if (document.hidden) setTimeout(run, 120);
  else requestAnimationFrame(run);
};
