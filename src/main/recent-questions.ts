/** Questions that were reported a moment ago, so that the next one joins them in one notification. */
import type { NotificationEvent } from './notification-events.ts';

export interface RecentQuestions {
  /** The earlier questions that a batch of events joins: none if the batch has no new question. */
  joinedBy(batch: readonly NotificationEvent[], now: number): readonly NotificationEvent[];
  /** Remembers the questions of a batch that is reported at `now`. */
  add(batch: readonly NotificationEvent[], now: number): void;
  /** Forgets answered questions. */
  settled(ids: readonly string[]): void;
}

/** Questions of `forMs` are recent. */
export function createRecentQuestions(forMs: number): RecentQuestions {
  let recent: { readonly asked: NotificationEvent; readonly id: string; readonly at: number }[] = [];
  return {
    joinedBy(batch, now) {
      recent = recent.filter(({ at }) => at > now - forMs);
      const ids = batch.flatMap(({ approval }) => (approval ? [approval.id] : []));
      return ids.length === 0 ? [] : recent.filter(({ id }) => !ids.includes(id)).map(({ asked }) => asked);
    },
    add(batch, now) {
      const found = batch.flatMap((asked) =>
        asked.approval ? [{ asked, id: asked.approval.id, at: now }] : [],
      );
      const ids = found.map(({ id }) => id);
      recent = [...recent.filter(({ id }) => !ids.includes(id)), ...found];
    },
    settled(ids) {
      recent = recent.filter(({ id }) => !ids.includes(id));
    },
  };
}
