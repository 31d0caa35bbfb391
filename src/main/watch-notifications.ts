/** Follows the host's feed and shows notifications while the window is not focused; bursts are combined. */
import { z } from 'zod';
import type { ApprovalsView } from '../contract/approvals.ts';
import type { DesktopSettings } from '../contract/desktop-methods.ts';
import type { HostApi } from '../contract/host-api.ts';
import { type AgentSummary, chatMessageSchema, type RoomsView } from '../contract/model.ts';
import { defaultNotifications, isQuiet } from '../contract/quiet-hours.ts';
import type { TasksView } from '../contract/task-methods.ts';
import type { RunsView } from '../contract/workflow-methods.ts';
import { followTopic } from './follow-topic.ts';
import {
  agentsFailed,
  messagesFor,
  type NotificationEvent,
  questionsAsked,
  roomRoute,
  roomsWithNews,
} from './notification-events.ts';
import { type Announcement, announceOnDesktop } from './notification-text.ts';
import { createRecentQuestions } from './recent-questions.ts';
import { runsEnded } from './run-notifications.ts';
import { tasksChanged } from './task-notifications.ts';

export interface NotificationsDeps {
  readonly host: HostApi;
  settings(): DesktopSettings;
  /** True while the operator looks at the window. */
  isWatched(): boolean;
  /** The window is locked, so that notifications must show no names. */
  isLocked(): boolean;
  ring(announcement: Announcement, isSilent: boolean): void;
  /** Approvals that no longer wait, whose notifications must close. */
  settled(approvalIds: readonly string[]): void;
}

/** ms that a notification waits, so that the next events join it. */
const gatherMs = 700;
const busyMs = 10_000;
/** After this many recent notifications, further ones are combined over `busyMs` even if they come slowly. */
const manyLately = 4;
const pageOfMessages = 50;
const historySchema = z.object({ messages: z.array(chatMessageSchema) });

export function watchNotifications(deps: NotificationsDeps): () => void {
  const { host } = deps;
  let agents: Readonly<Record<string, AgentSummary>> | null = null;
  let approvals: ApprovalsView | null = null;
  let rooms: RoomsView | null = null;
  let tasks: TasksView | null = null;
  let runs: RunsView | null = null;
  let notifications = defaultNotifications;
  let waiting: NotificationEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let lately: number[] = [];
  const recent = createRecentQuestions(busyMs);
  const since = Date.now();

  /** One notification has all questions of the last moments. */
  function withRecent(batch: readonly NotificationEvent[]): readonly NotificationEvent[] {
    const before = recent.joinedBy(batch, Date.now());
    deps.settled(before.flatMap(({ approval }) => (approval ? [approval.id] : [])));
    recent.add(batch, Date.now());
    return [...before, ...batch];
  }

  /** Quiet hours hold everything back, but approvals only if the operator chose so. */
  const isAnnouncedNow = ({ kind }: NotificationEvent): boolean =>
    !isQuiet(notifications, new Date()) || (kind === 'approvals' && notifications.quietApprovals);

  function flush(): void {
    timer = undefined;
    const read = new Set(
      Object.values(rooms?.rooms ?? {}).flatMap(({ id, unread }) => (unread === 0 ? [roomRoute(id)] : [])),
    );
    // The operator has read some rooms meanwhile, for example in the quick ask.
    const batch = waiting.filter(({ route }) => !read.has(route));
    waiting = [];
    // The operator opened the window meanwhile and sees the events there.
    if (deps.isWatched()) return;
    const { sounds } = notifications;
    const loud = batch.filter(isAnnouncedNow);
    if (loud.length === 0) return;
    for (const announcement of announceOnDesktop(withRecent(loud), deps.settings(), deps.isLocked())) {
      lately.push(Date.now());
      deps.ring(announcement, !sounds);
    }
  }

  function happened(found: readonly NotificationEvent[]): void {
    if (found.length === 0 || deps.isWatched()) return;
    const ids = new Set(found.map(({ approval }) => approval?.id));
    waiting = [...waiting.filter(({ approval }) => approval === null || !ids.has(approval.id)), ...found];
    lately = lately.filter((at) => Date.now() - at < busyMs);
    timer ??= setTimeout(flush, lately.length >= manyLately ? busyMs : gatherMs);
    timer.unref();
  }

  async function readNews(before: RoomsView | null, after: RoomsView): Promise<void> {
    const own = new Set(Object.values(agents ?? {}).flatMap(({ slug }) => (slug ? [slug] : [])));
    for (const news of roomsWithNews(before, after)) {
      const asked = { room: news.room.id, limit: pageOfMessages };
      const answer = await host.call({ kind: 'owner-ui' }, 'chat.history', asked);
      const page = answer.ok ? historySchema.safeParse(answer.value) : null;
      const { self, mutes } = after;
      const reader = { self: self ?? '', own, mutes, now: Date.now() };
      if (page?.success) happened(messagesFor(news, page.data.messages, reader));
    }
  }

  const stops = [
    followTopic(host, 'host', (next) => {
      notifications = next.notifications;
    }),
    followTopic(host, 'agents', (next) => {
      happened(agentsFailed(agents, next));
      agents = next;
    }),
    followTopic(host, 'approvals', (next) => {
      happened(questionsAsked(approvals, next));
      const gone = Object.keys(approvals?.waiting ?? {}).filter((id) => !Object.hasOwn(next.waiting, id));
      waiting = waiting.filter(({ approval }) => approval === null || !gone.includes(approval.id));
      recent.settled(gone);
      if (gone.length > 0) deps.settled(gone);
      approvals = next;
    }),
    followTopic(host, 'tasks', (next) => {
      happened(tasksChanged(tasks, next, since));
      tasks = next;
    }),
    followTopic(host, 'runs', (next) => {
      happened(runsEnded(runs, next, since));
      runs = next;
    }),
    followTopic(host, 'rooms', (next) => {
      const before = rooms;
      rooms = next;
      if (!deps.isWatched()) void readNews(before, next);
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
