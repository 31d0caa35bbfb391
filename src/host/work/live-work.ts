import type { FeedSink } from '../../contract/host-api.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { TurnSummary, WorkView } from '../../contract/work-methods.ts';
import type { TurnTrace } from '../../core/agents/turn-records.ts';
import type { Clock } from '../../core/ports.ts';
import type { TurnInfo } from '../../core/supervisor/worker-ports.ts';
import { createFeedTopic } from '../feed/feed.ts';
import { republish } from '../feed/publish-differences.ts';
import { createThrottle } from '../feed/throttle.ts';
import type { AgentRecord } from '../fleet/agent-record.ts';
import type { TurnSink } from '../fleet/turn-events.ts';

/** Batching delay of changes in ms. */
const gatherMs = 100;
const maxTrace = 2_000;

export interface WatchedTurn {
  readonly agentId: string;
  info: TurnInfo;
  readonly steps: Map<string, ToolStep>;
  readonly trace: TurnTrace[];
  /** Incremented with every change. */
  changed: number;
}

/** Open turns by id, and their topic, which is built only for subscribers. */
export interface LiveWork {
  readonly sink: TurnSink;
  turn(turnId: string): WatchedTurn | null;
  /** ms since the epoch of the agent's last turn start in this process. */
  lastBegun(agentId: string): number | null;
  follow(sink: FeedSink): () => void;
  stop(): void;
}

export function createLiveWork(deps: {
  readonly clock: Clock;
  readonly summaries: (turns: readonly WatchedTurn[]) => readonly TurnSummary[];
}): LiveWork {
  const { clock } = deps;
  const turns = new Map<string, WatchedTurn>();
  const begun = new Map<string, number>();
  const topic = createFeedTopic<WorkView>({ clock, initial: { running: {} } });
  const publish = (): void => {
    const all = deps.summaries([...turns.values()]);
    republish(topic, { running: Object.fromEntries(all.map((one) => [one.id, one])) }, 2);
  };
  const soon = createThrottle(clock, gatherMs, publish);
  const change = (post: AgentRecord, info: TurnInfo, what?: (turn: WatchedTurn) => void): void => {
    const turn = turns.get(info.turnId) ?? {
      agentId: post.id,
      info,
      steps: new Map(),
      trace: [],
      changed: 0,
    };
    turn.info = info;
    turn.changed += 1;
    what?.(turn);
    turns.set(info.turnId, turn);
    if (topic.subscribers() > 0) soon.request();
  };
  return {
    sink: {
      started(post, info) {
        begun.set(post.id, info.startedAt);
        change(post, info);
      },
      took: change,
      grew: () => undefined,
      reset: () => undefined,
      stepped: (post, info, step) => change(post, info, ({ steps }) => steps.set(step.callId, step)),
      traced: (post, info, line) =>
        change(post, info, ({ trace }) => void (trace.length < maxTrace && trace.push(line))),
      ended(_post, { turnId }) {
        turns.delete(turnId);
        if (topic.subscribers() > 0) soon.request();
      },
    },
    turn: (turnId) => turns.get(turnId) ?? null,
    lastBegun: (agentId) => begun.get(agentId) ?? null,
    follow(sink) {
      publish();
      return topic.subscribe(sink);
    },
    stop() {
      soon.cancel();
      topic.end();
    },
  };
}
