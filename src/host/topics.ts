import { appError } from '../contract/errors.ts';
import type { FeedSink } from '../contract/host-api.ts';
import type { AgentSummary, HostView } from '../contract/model.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { isTopicName, type TopicName } from '../contract/topics.ts';
import type { Clock } from '../core/ports.ts';
import { summaryOf } from './agents/agent-handlers.ts';
import type { HostContext } from './context.ts';
import { createFeedTopic, type FeedTopic } from './feed.ts';
import { republish } from './republish.ts';
import { createSoon } from './soon.ts';

/** Batching delay of changes in ms. */
const gatherMs = 20;

/** The feed of one host. `host` and `agents` are built here, rooms by the chat. */
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
  readonly context: () => HostContext;
  readonly view: () => HostView;
}

export function createTopics(deps: TopicsDeps): Topics {
  const { clock } = deps;
  const agents = createFeedTopic<Record<string, AgentSummary>>({ clock, initial: {} });
  let host: FeedTopic<HostView> | null = null;
  const dirty = new Set<string>();
  let everything = false;

  const flushView = (): void => {
    if (host) republish(host, deps.view());
  };
  const flushAgents = (): void => {
    const context = deps.context();
    const before = agents.state();
    const next: Record<string, AgentSummary> = everything ? {} : { ...before };
    const ids = everything ? context.agents.list().map(({ id }) => id) : [...dirty];
    everything = false;
    dirty.clear();
    for (const id of ids) {
      const agent = context.agents.get(id);
      if (!agent) delete next[id];
      else next[id] = summaryOf(context, agent);
    }
    republish(agents, next, 2);
    flushView();
  };
  const soonAgents = createSoon(clock, gatherMs, flushAgents);
  const soonView = createSoon(clock, gatherMs, flushView);

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
      if (!isTopicName(topic)) return err(appError('not_found', `There is no topic "${topic}".`));
      if (topic === 'host') {
        host ??= createFeedTopic({ clock, initial: deps.view() });
        flushView();
        return ok(host.subscribe(sink));
      }
      if (topic === 'approvals') return ok(deps.context().approvals.topic.subscribe(sink));
      if (topic === 'work') return ok(deps.context().work.follow(sink));
      if (topic === 'logs') return ok(deps.context().logs.follow(sink));
      if (topic === 'agents') return ok(agents.subscribe(sink));
      const work = followWork(deps.context(), topic, sink);
      if (work) return work;
      const { chat } = deps.context();
      if (topic === 'rooms') return ok(chat.followRooms(sink));
      return ok(chat.roomTopic(topic.slice('room:'.length)).subscribe(sink));
    },
    stop() {
      soonAgents.cancel();
      soonView.cancel();
      host?.end('the host is stopping');
      agents.end('the host is stopping');
    },
  };
}

function followWork(context: HostContext, topic: TopicName, sink: FeedSink): Result<() => void> | null {
  const { tasks, workflows } = context;
  if (topic === 'tasks') return ok(tasks.feed.follow(sink));
  if (topic.startsWith('task:')) return ok(tasks.feed.followTask(Number(topic.slice('task:'.length)), sink));
  if (topic === 'runs') return ok(workflows.topics.followAll(sink));
  if (topic.startsWith('run:')) return ok(workflows.topics.follow(topic.slice('run:'.length), sink));
  return topic === 'schedules' ? ok(context.schedules.follow(sink)) : null;
}
