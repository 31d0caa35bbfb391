import type { FeedSink } from '../../contract/host-api.ts';
import type { MethodOutput, MethodParsed } from '../../contract/methods.ts';
import type { PatchOp } from '../../contract/patch.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { LogLine, LogsView } from '../../contract/work-methods.ts';
import type { Clock } from '../../core/ports.ts';
import { logLineOf } from '../../services/log/log-line.ts';
import type { LogSource, WrittenLine } from '../../services/log/log-source.ts';
import { createFeedTopic, type FeedTopic } from '../feed/feed.ts';
import { createThrottle } from '../feed/throttle.ts';

/** Batching delay of lines in ms. */
const gatherMs = 50;
const keptLines = 4_000;
const firstLines = 300;
/** Lines per batch; older ones are dropped and counted. */
const maxWaiting = 5_000;

/** The host's log for clients, live and past. Works only for subscribers. */
export interface Logs {
  read(input: MethodParsed<'logs.read'>): Result<MethodOutput<'logs.read'>>;
  follow(sink: FeedSink): () => void;
  stop(): void;
}

interface Following {
  readonly topic: FeedTopic<LogsView>;
  end(): void;
}

const skippedLine = (count: number, at: number): LogLine => ({
  id: '',
  at,
  level: 'warn',
  event: 'lines_skipped',
  agent: '',
  rest: `"count":${count}`,
});

/** Lines in numbered batches; the oldest batches are dropped beyond the limit. */
class Batches {
  readonly #sizes: Map<number, number>;
  #next = 1;
  #total: number;

  constructor(first: number) {
    this.#sizes = new Map([[0, first]]);
    this.#total = first;
  }

  add(lines: readonly LogLine[]): readonly PatchOp[] {
    const batch = this.#next;
    this.#next += 1;
    this.#sizes.set(batch, lines.length);
    this.#total += lines.length;
    const ops: PatchOp[] = [{ op: 'set', path: ['batches', `${batch}`], value: lines }];
    for (const [old, size] of this.#sizes) {
      if (this.#total <= keptLines || old === batch) break;
      this.#sizes.delete(old);
      this.#total -= size;
      ops.push({ op: 'delete', path: ['batches', `${old}`] });
    }
    return ops;
  }
}

function begin(clock: Clock, source: LogSource, onIdle: () => void): Following {
  const recent = source.read({ level: 'debug', text: '', limit: firstLines }).lines.reverse();
  const topic = createFeedTopic<LogsView>({ clock, initial: { batches: { 0: recent } }, onIdle });
  const batches = new Batches(recent.length);
  let waiting: WrittenLine[] = [];
  let skipped = 0;
  const soon = createThrottle(clock, gatherMs, () => {
    const lines = waiting.map(({ id, text }) => logLineOf(id, text.trimEnd()));
    if (skipped > 0) lines.unshift(skippedLine(skipped, lines[0]?.at ?? clock.now()));
    waiting = [];
    skipped = 0;
    topic.patch(batches.add(lines));
  });
  const leave = source.follow((line) => {
    waiting.push(line);
    if (waiting.length > maxWaiting) {
      skipped += waiting.length - maxWaiting / 2;
      waiting = waiting.slice(-maxWaiting / 2);
    }
    soon.request();
  });
  return {
    topic,
    end() {
      soon.cancel();
      leave();
    },
  };
}

export function createLogs(clock: Clock, source: LogSource | undefined): Logs {
  let following: Following | null = null;
  const idle = (): void => {
    following?.end();
    following = null;
  };
  return {
    read: (input) => ok(source ? source.read(input) : { lines: [], next: null, readTo: null }),
    follow(sink) {
      if (!source) return createFeedTopic<LogsView>({ clock, initial: { batches: {} } }).subscribe(sink);
      following ??= begin(clock, source, idle);
      return following.topic.subscribe(sink);
    },
    stop() {
      const topic = following?.topic;
      idle();
      topic?.end();
    },
  };
}
