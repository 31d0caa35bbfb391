import type { FeedSink } from '../../contract/host-api.ts';
import type { RunSummary, RunsView, RunView } from '../../contract/workflow-methods.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { Clock } from '../../core/ports.ts';
import type { RunQueries } from '../../core/workflows/views/run-queries.ts';
import { createFeedTopic, type FeedTopic } from '../feed/feed.ts';
import { republish } from '../feed/publish-differences.ts';
import { createThrottle } from '../feed/throttle.ts';

/** Batching delay of changes in ms. */
const gatherMs = 60;

/** Data of the topics, or `null` if no run exists or the journal is not readable. */
export type RunSource = () => Pick<RunQueries, 'shown' | 'view'> | null;

/** Topics `runs` and `run:<id>`, built only for subscribers. */
export interface RunTopics {
  /** `null` refreshes everything. */
  changed(run: string | null): void;
  followAll(sink: FeedSink): () => void;
  follow(run: string, sink: FeedSink): () => void;
  stop(): void;
}

const byId = (runs: readonly RunSummary[]): RunsView => ({
  runs: Object.fromEntries(runs.map((run) => [run.id, run])),
});

const noRun: RunView = { run: null, steps: {}, gates: {} };

export function createRunTopics(clock: Clock, source: RunSource): RunTopics {
  const all = createFeedTopic<RunsView>({ clock, initial: { runs: {} } });
  const single = new Map<string, FeedTopic<RunView>>();
  const dirty = new Set<string>();

  // A read error is repaired by the next change.
  const publish = (runs: Iterable<string>): void =>
    despiteStore(() => {
      const book = source();
      for (const run of runs) {
        const topic = single.get(run);
        if (topic) republish(topic, book?.view(run) ?? noRun, 2);
      }
      if (all.subscribers() > 0) republish(all, byId(book?.shown() ?? []), 2);
    }, undefined);
  const soon = createThrottle(clock, gatherMs, () => {
    publish([...dirty]);
    dirty.clear();
  });

  return {
    changed(run) {
      if (all.subscribers() === 0 && single.size === 0) return;
      for (const one of run === null ? single.keys() : [run]) dirty.add(one);
      soon.request();
    },
    followAll(sink) {
      despiteStore(() => republish(all, byId(source()?.shown() ?? []), 2), undefined);
      return all.subscribe(sink);
    },
    follow(run, sink) {
      const topic =
        single.get(run) ??
        createFeedTopic<RunView>({ clock, initial: noRun, onIdle: () => void single.delete(run) });
      single.set(run, topic);
      publish([run]);
      return topic.subscribe(sink);
    },
    stop() {
      soon.cancel();
      all.end();
      for (const topic of single.values()) topic.end();
    },
  };
}
