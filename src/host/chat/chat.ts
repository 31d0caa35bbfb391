import type { FeedSink } from '../../contract/host-api.ts';
import type { ChatMessage, LiveDraft, RoomsView, RoomView } from '../../contract/model.ts';
import type { Mute } from '../../contract/mute.ts';
import { dmSlug } from '../../contract/room-id.ts';
import type { ToolStep } from '../../contract/work.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { Invite } from '../../services/puffo/account-types.ts';
import { createFeedTopic, type FeedTopic } from '../feed/feed.ts';
import { republish } from '../feed/publish-differences.ts';
import { createThrottle } from '../feed/throttle.ts';
import { createUploadProgress } from '../files/upload-progress.ts';
import { type ChatAgent, createMarks } from './marks.ts';
import { viewMessage } from './message-view.ts';
import { createRoomMutes, type RoomMutes } from './mutes.ts';
import { createPeople, type People } from './people.ts';
import { createRemoteAgents, type RemoteAgents } from './remote-agents.ts';
import { endDraft, growDraft, roomWindow, startDraft, stepDraft, upsertMessage } from './room-topic.ts';
import { noRooms, viewRooms } from './rooms-view.ts';
import { learnScriptSenders, readScriptSenders } from './script-senders.ts';
import type { ChatSelf } from './self.ts';
import { createStepsOf } from './tool-steps-cache.ts';

/** Debounce in ms between the first change of a burst and the refresh of the rooms. */
const roomsDelayMs = 40;
/** ms that a finished draft waits at most for its sealed message. */
const sealedWaitMs = 5_000;

export interface ChatDeps {
  readonly clock: Clock;
  readonly log: Log;
  self(): ChatSelf | null;
  agents(): readonly (ChatAgent & { readonly displayName: string })[];
  questionIn(agentId: string, messageId: string): string | null;
  /** Invitations to the operator that wait for an answer. */
  invites(): readonly Invite[];
}

const annotationsIn = ({ store }: ChatSelf, roomId: string): RoomView['annotations'] =>
  Object.fromEntries(store.annotations.inRoom(roomId));

/** The operator's chat as observable state: rooms, messages and drafts. Other parts report events to it. */
export class Chat {
  readonly people: People;
  readonly rooms: FeedTopic<RoomsView>;
  readonly elsewhere: RemoteAgents;
  readonly #deps: ChatDeps;
  readonly #marks = createMarks();
  readonly #steps = createStepsOf();
  readonly #uploads = createUploadProgress();
  readonly #topics = new Map<string, FeedTopic<RoomView>>();
  readonly #drafts = new Map<string, Map<string, LiveDraft>>();
  /** Ends the draft whose sealed message has this id. */
  readonly #sealed = new Map<string, () => void>();
  readonly #soon: ReturnType<typeof createThrottle>;
  readonly #mutes: RoomMutes;

  constructor(deps: ChatDeps) {
    this.#deps = deps;
    this.rooms = createFeedTopic<RoomsView>({ clock: deps.clock, initial: noRooms });
    this.elsewhere = createRemoteAgents({
      clock: deps.clock,
      log: deps.log,
      topic: this.rooms,
      client: () => deps.self()?.account.client ?? null,
      isOwn: (slug) => deps.agents().some((agent) => agent.slug === slug),
      changed: (envelopeId) => this.changed(envelopeId),
    });
    this.#mutes = createRoomMutes({ clock: deps.clock, onEnd: () => this.#soon.request() });
    this.#soon = createThrottle(deps.clock, roomsDelayMs, () => this.refreshRooms());
    this.people = createPeople({
      ask: async (slug) => (await deps.self()?.account.person(slug)) ?? null,
      onLearned: () => {
        this.#soon.request();
        this.#reload();
      },
    });
  }

  followRooms(sink: FeedSink): () => void {
    const leave = this.rooms.subscribe(sink);
    this.elsewhere.looked();
    return () => {
      leave();
      this.elsewhere.looked();
    };
  }

  /** The topic exists while it has subscribers. */
  roomTopic(roomId: string): FeedTopic<RoomView> {
    const open = this.#topics.get(roomId);
    if (open) return open;
    const topic = createFeedTopic<RoomView>({
      clock: this.#deps.clock,
      initial: this.#load(roomId),
      onIdle: () => this.#topics.delete(roomId),
    });
    this.#topics.set(roomId, topic);
    return topic;
  }

  viewAll(messages: readonly StoredMessage[]): ChatMessage[] {
    const self = this.#deps.self();
    return self ? messages.map((message) => this.#view(self, message)) : [];
  }

  accepted(messages: readonly StoredMessage[]): void {
    const self = this.#deps.self();
    if (!self) return;
    despiteStore(() => learnScriptSenders(self.store, messages), undefined);
    for (const message of messages) {
      despiteStore(() => this.#show(self, message), undefined);
      this.#sealed.get(message.envelopeId)?.();
    }
    this.#soon.request();
  }

  /** A message changed: its delivery or an agent's mark. */
  changed(envelopeId: string): void {
    const self = this.#deps.self();
    if (!self || this.#topics.size === 0) return;
    despiteStore(() => {
      const message = self.store.message(envelopeId);
      if (message) this.#show(self, message);
    }, undefined);
  }

  /** The operator's notes on messages of this room changed. */
  annotated(roomId: string): void {
    const self = this.#deps.self();
    const topic = this.#topics.get(roomId);
    if (!self || !topic) return;
    despiteStore(
      () => topic.patch([{ op: 'set', path: ['annotations'], value: annotationsIn(self, roomId) }]),
      undefined,
    );
  }

  /** Mutes a room or a thread; `null` unmutes it. */
  setMute({ store }: ChatSelf, id: string, mute: Mute | null): void {
    this.#mutes.set(store, id, mute);
    this.refreshRooms();
  }

  uploaded(envelopeId: string, index: number, sentBytes: number): void {
    if (this.#uploads.heard(envelopeId, index, sentBytes)) this.changed(envelopeId);
  }

  /** The server accepted the message or rejected it for good. */
  settled(envelopeId: string): void {
    this.#uploads.forget(envelopeId);
    this.changed(envelopeId);
  }

  marksChanged(envelopeIds: readonly string[]): void {
    for (const id of envelopeIds) this.changed(id);
  }

  /** The operator's account reconnected. */
  online(): void {
    this.elsewhere.online();
    this.#soon.request();
  }

  roomsChanged(): void {
    this.#soon.request();
  }

  /** Refreshes at once, without debounce. */
  refreshRooms(): RoomsView {
    this.#soon.cancel();
    const view = despiteStore(() => this.#viewRooms(), this.rooms.state());
    republish(this.rooms, view, 2);
    // The members of a room may have become known only now.
    for (const topic of this.#topics.values()) this.#showElsewhere(topic.state());
    return view;
  }

  draftStarted(roomId: string, draft: LiveDraft): void {
    const open = this.#drafts.get(roomId) ?? new Map<string, LiveDraft>();
    this.#drafts.set(roomId, open.set(draft.turnId, draft));
    const topic = this.#topics.get(roomId);
    if (topic) startDraft(topic, draft);
  }

  draftGrew(roomId: string, turnId: string, text: string): void {
    const open = this.#drafts.get(roomId);
    const draft = open?.get(turnId);
    if (!open || !draft) return;
    open.set(turnId, { ...draft, text: draft.text + text });
    const topic = this.#topics.get(roomId);
    if (topic) growDraft(topic, turnId, text);
  }

  /** Clears the draft's text, which is not the answer; keeps its steps. */
  draftVoid(roomId: string, turnId: string): void {
    const open = this.#drafts.get(roomId);
    const draft = open?.get(turnId);
    if (!open || !draft || draft.text === '') return;
    const empty = { ...draft, text: '' };
    open.set(turnId, empty);
    const topic = this.#topics.get(roomId);
    if (topic) startDraft(topic, empty);
  }

  draftStepped(roomId: string, turnId: string, step: ToolStep): void {
    const open = this.#drafts.get(roomId);
    const draft = open?.get(turnId);
    if (!open || !draft) return;
    const at = draft.steps.findIndex(({ callId }) => callId === step.callId);
    const steps = at < 0 ? [...draft.steps, step] : draft.steps.with(at, step);
    open.set(turnId, { ...draft, steps });
    const topic = this.#topics.get(roomId);
    if (topic) stepDraft(topic, turnId, { at: at < 0 ? steps.length - 1 : at, step });
  }

  draftEnded(roomId: string, turnId: string): void {
    const open = this.#drafts.get(roomId);
    open?.delete(turnId);
    if (open?.size === 0) this.#drafts.delete(roomId);
    const topic = this.#topics.get(roomId);
    if (topic) endDraft(topic, turnId);
  }

  /** The reply is sent: the draft ends when its message arrives, or after `sealedWaitMs`. */
  draftSealed(roomId: string, turnId: string, replyIds: readonly string[]): void {
    const [last] = replyIds.slice(-1);
    if (last === undefined || this.#knows(last)) {
      this.draftEnded(roomId, turnId);
      return;
    }
    const end = (): void => {
      timer.cancel();
      this.#sealed.delete(last);
      this.draftEnded(roomId, turnId);
    };
    const timer = this.#deps.clock.after(sealedWaitMs, end, { unref: true });
    this.#sealed.set(last, end);
  }

  agentGone(agentId: string): void {
    this.#marks.forget(agentId);
    this.#soon.request();
  }

  /** The operator changed or is gone: all rooms reload. */
  reset(): void {
    this.people.clear();
    this.elsewhere.clear();
    this.#drafts.clear();
    this.refreshRooms();
    this.#reload();
  }

  stop(): void {
    this.#soon.cancel();
    this.#mutes.stop();
    this.elsewhere.stop();
    this.rooms.end();
    for (const topic of this.#topics.values()) topic.end();
  }

  #knows(envelopeId: string): boolean {
    const self = this.#deps.self();
    return despiteStore(() => self?.store.known([envelopeId]).has(envelopeId) ?? false, false);
  }

  /** Reads the room again, e.g. after its messages were deleted. */
  reload(roomId: string): void {
    const topic = this.#topics.get(roomId);
    if (topic) republish(topic, this.#load(roomId));
  }

  #reload(): void {
    for (const roomId of this.#topics.keys()) this.reload(roomId);
  }

  #load(roomId: string): RoomView {
    const self = this.#deps.self();
    const drafts = Object.fromEntries(this.#drafts.get(roomId) ?? []);
    const empty = { roomId, messages: [], hasMore: false, drafts, annotations: {} };
    return self ? despiteStore(() => this.#loadFrom(self, empty), empty) : empty;
  }

  #loadFrom(self: ChatSelf, { roomId, drafts }: RoomView): RoomView {
    const page = self.store.history({ roomId, limit: roomWindow });
    const messages = page.messages.map((message) => this.#view(self, message));
    this.#showElsewhere({ messages });
    return { roomId, messages, hasMore: page.hasMore, drafts, annotations: annotationsIn(self, roomId) };
  }

  /** Requests the marks of other hosts' agents for the visible messages. */
  #showElsewhere({ messages }: Pick<RoomView, 'messages'>): void {
    this.elsewhere.show(messages.map((message) => ({ ...message, envelopeId: message.id })));
  }

  #show(self: ChatSelf, message: StoredMessage): void {
    const topic = this.#topics.get(message.roomId);
    if (topic) upsertMessage(topic, this.#view(self, message));
  }

  #view(self: ChatSelf, message: StoredMessage): ChatMessage {
    return viewMessage(message, {
      selfSlug: self.slug,
      store: self.store,
      person: this.people.get,
      marks: (each) => [...this.#marks.of(each, this.#agentsIn(each)), ...this.elsewhere.marksOf(each)],
      steps: (each) => this.#steps.of(each, this.#deps.agents()),
      asks: (each) => this.#asks(each),
      uploaded: (id, index) => this.#uploads.sent(id, index),
    });
  }

  #asks({ senderSlug, envelopeId }: StoredMessage): string | null {
    const agent = this.#deps.agents().find(({ slug }) => slug === senderSlug);
    return agent ? despiteStore(() => this.#deps.questionIn(agent.id, envelopeId), null) : null;
  }

  #agentsIn(message: StoredMessage): readonly ChatAgent[] {
    const room = this.rooms.state().rooms[message.roomId];
    const members = new Set(room?.members.map(({ slug }) => slug) ?? [dmSlug(message.roomId) ?? '']);
    return this.#deps.agents().filter((agent) => members.has(agent.slug));
  }

  #viewRooms(): RoomsView {
    const self = this.#deps.self();
    if (!self) return noRooms;
    const snapshot = self.account.rooms();
    const agents = this.#deps.agents();
    this.people.learnRooms(snapshot);
    this.people.learn({ slug: self.slug, displayName: self.displayName, agent: false });
    for (const { slug, displayName } of agents) this.people.learn({ slug, displayName, agent: true });
    this.elsewhere.rooms(snapshot);
    const digests = self.store.rooms();
    return viewRooms({
      self: self.slug,
      presence: this.rooms.state().presence,
      connection: self.account.connection().state,
      snapshot,
      digests,
      conversations: self.store.conversations.list(),
      agentSlugs: agents.map(({ slug }) => slug),
      person: this.people.get,
      invites: this.#deps.invites(),
      trust: self.identities.trust(),
      scripts: readScriptSenders(self.store),
      muted: this.#mutes.view(self.store, self.slug, digests),
    });
  }
}
