import { fail } from '../../contract/fail.ts';
import type { FeedSink } from '../../contract/host-api.ts';
import type { AgentSummary, HostView } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isTopicName } from '../../contract/topics.ts';
import type { Clock } from '../../core/ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { SummarizeAgent } from '../agents/agent-view.ts';
import { createFeedTopic, type FeedTopic } from './feed.ts';
import { republish } from './publish-differences.ts';
import { createThrottle } from './throttle.ts';

/** Batching delay of changes in ms. */
const gatherMs = 20;

/** Follows a topic of a feature; `id` is the part of its name after the colon, or an empty text. */
export type FollowTopic = (sink: FeedSink, id: string) => () => void;

const featureTopics = [
  'rooms',
  'room',
  'approvals',
  'work',
  'logs',
  'tasks',
  'task',
  'schedules',
  'runs',
  'run',
  'undo',
] as const;
export type FeatureTopics = Readonly<Record<(typeof featureTopics)[number], FollowTopic>>;

/** The feed of one host. `host` and `agents` are built here, the other topics by their features. */
export interface Topics {
  readonly agents: FeedTopic<Record<string, AgentSummary>>;
  agentChanged(id: string): void;
  allAgentsChanged(): void;
  viewChanged(): void;
  flush(): void;
  subscribe(topic: string, sink: FeedSink): Result<() => void>;
  stop(): void;
}

export interface TopicsDeps {
  readonly clock: Clock;
  readonly agents: Pick<AgentStore, 'list' | 'get'>;
  readonly summarize: SummarizeAgent;
  readonly view: () => HostView;
  readonly features: FeatureTopics;
}

export function createTopics(deps: TopicsDeps): Topics {
  const { clock, summarize, features } = deps;
  const agents = createFeedTopic<Record<string, AgentSummary>>({ clock, initial: {} });
  let host: FeedTopic<HostView> | null = null;
  const dirty = new Set<string>();
  let everything = false;

  const flushView = (): void => {
    if (host) republish(host, deps.view());
  };
  const flushAgents = (): void => {
    const before = agents.state();
    const next: Record<string, AgentSummary> = everything ? {} : { ...before };
    const ids = everything ? deps.agents.list().map(({ id }) => id) : [...dirty];
    everything = false;
    dirty.clear();
    for (const id of ids) {
      const agent = deps.agents.get(id);
      if (!agent) delete next[id];
      else next[id] = summarize(agent);
    }
    republish(agents, next, 2);
    flushView();
  };
  const soonAgents = createThrottle(clock, gatherMs, flushAgents);
  const soonView = createThrottle(clock, gatherMs, flushView);

  return {
    agents,
    agentChanged(id) {
      dirty.add(id);
      soonAgents.request();
    },
    allAgentsChanged() {
      everything = true;
      flushAgents();
    },
    viewChanged: soonView.request,
    flush() {
      if (dirty.size === 0) return;
      soonAgents.cancel();
      flushAgents();
    },
    subscribe(topic, sink) {
      if (!isTopicName(topic)) return err(noTopic(topic));
      if (topic === 'host') {
        host ??= createFeedTopic({ clock, initial: deps.view() });
        flushView();
        return ok(host.subscribe(sink));
      }
      if (topic === 'agents') return ok(agents.subscribe(sink));
      const name = featureTopics.find((one) => topic === one || topic.startsWith(`${one}:`));
      if (!name) return err(noTopic(topic));
      return ok(features[name](sink, topic.slice(name.length + 1)));
    },
    stop() {
      soonAgents.cancel();
      soonView.cancel();
      host?.end();
      agents.end();
    },
  };
}

const noTopic = (topic: string) => fail('not_found', 'host.unknownTopic', { topic });
