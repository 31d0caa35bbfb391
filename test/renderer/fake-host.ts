/**
 * A fake host for the renderer's tests: the real contract, frames and page policy over a loopback server,
 * with data in memory and scripted behaviour.
 */
import { createServer, type Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Approval, Grant } from '../../src/contract/approvals.ts';
import { type AppError, textError } from '../../src/contract/errors.ts';
import { clientFrameSchema } from '../../src/contract/frames.ts';
import { isMethodName, type MethodInput, type MethodName, methods } from '../../src/contract/methods.ts';
import type { AgentSummary, ChatMessage, HostView, RoomsView, RoomView } from '../../src/contract/model.ts';
import { helloFrameSchema, sessionFrameSchema, signedOutCode } from '../../src/contract/page-session.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import { createLine } from './delayed-line.ts';
import { FakeAgentPage } from './fake-agent-page.ts';
import { FakeAnnotations } from './fake-annotations.ts';
import { noise } from './fake-cipher.ts';
import { FakeConsent } from './fake-consent.ts';
import { FakeConversations } from './fake-conversations.ts';
import {
  agent,
  checks,
  demoAgents,
  demoRooms,
  detailOf,
  greeting,
  guideSoul,
  hostView,
  message,
  mine,
  type Page,
  pageOf,
} from './fake-data.ts';
import { tryDemo } from './fake-demo.ts';
import { FakeExtensions } from './fake-extensions.ts';
import { FakeFeed } from './fake-feed.ts';
import { FakeFiles } from './fake-files.ts';
import { FakeHome } from './fake-home.ts';
import { FakeModels } from './fake-models.ts';
import { servePage } from './fake-pages.ts';
import { FakePrograms } from './fake-programs.ts';
import { FakeRuns } from './fake-runs.ts';
import { FakeSettings } from './fake-settings.ts';
import { FakeSpaces } from './fake-spaces.ts';
import { FakeTasks } from './fake-tasks.ts';
import { FakeTurns } from './fake-turns.ts';
import { FakeUndo } from './fake-undo.ts';
import { FakeWork } from './fake-work.ts';

export const reply =
  'You wrote that, and only this computer could read it.\n\nI am a *scripted* helper: I say the same thing every time.\n\n```sh\nkennel agent list\n```\n\nThat is all I know.';

/** Session secret of every test page. */
export const fakeSession = 'fake-session';

interface Edit {
  agent: string;
  soul?: string;
  displayName?: string;
  role?: string;
  avatar?: { base64: string };
}

type Sent = MethodInput<'chat.send'>;

export type Handler = (input: never) => Promise<Result<unknown>> | Result<unknown>;

export interface World {
  host?: Partial<HostView>;
  agents?: Record<string, AgentSummary>;
  rooms?: RoomsView;
  messages?: ChatMessage[];
  approvals?: Approval[];
  decided?: Approval[];
  grants?: Grant[];
  /** Adds notes, figures and log lines. */
  fill?: (host: FakeHost) => void;
  wordMs?: number;
  /** The sealed message follows the end of the draft once this is fulfilled. */
  sealed?: Promise<void>;
}

export class FakeHost {
  readonly feed = new FakeFeed();
  readonly calls: { method: string; input: unknown }[] = [];
  /** Every path that the page requested. */
  readonly requests: string[] = [];
  readonly souls: Record<string, string> = { guide: guideSoul };
  /** Base64 of PNGs, by agent. */
  readonly pictures: Record<string, string> = {};
  /** All messages of the room, if a test needs more than the feed's window. */
  history: readonly ChatMessage[] | null = null;
  /** Errors by method that answers with them. */
  readonly failing = new Map<string, AppError>();
  /** Errors of a method that depend on its input. */
  private readonly refusals = new Map<string, (input: never) => AppError | null>();
  /** Methods that answer after the promise resolves. */
  readonly held = new Map<string, Promise<void>>();
  readonly consent: FakeConsent;
  readonly work: FakeWork;
  readonly tasks: FakeTasks;
  readonly runs: FakeRuns;
  readonly turns: FakeTurns;
  readonly undo: FakeUndo;
  readonly page = new FakeAgentPage();
  readonly annotations: FakeAnnotations;
  readonly conversations: FakeConversations;
  readonly spaces: FakeSpaces;
  readonly settings = new FakeSettings();
  readonly models = new FakeModels((agent) => this.summary(agent));
  readonly programs = new FakePrograms();
  readonly extensions = new FakeExtensions();
  readonly files: FakeFiles;
  readonly home: FakeHome;
  private readonly sockets = new Set<WebSocket>();
  private readonly server: Server;
  private readonly handlers: Partial<Record<MethodName, Handler>>;
  private readonly wordMs: number;
  private readonly sealed: Promise<void>;
  private sent = 0;
  private stopped = false;

  constructor(world: World) {
    this.wordMs = world.wordMs ?? 25;
    this.sealed = world.sealed ?? Promise.resolve();
    this.feed.put('host', hostView(world.host));
    this.feed.put('agents', world.agents ?? demoAgents());
    this.feed.put('rooms', world.rooms ?? demoRooms());
    this.putRoom('ch_general', world.messages ?? [greeting]);
    this.consent = new FakeConsent(this.feed, world);
    this.work = new FakeWork(this.feed);
    this.tasks = new FakeTasks(this.feed);
    this.runs = new FakeRuns(this.feed);
    this.turns = new FakeTurns(this.feed);
    this.undo = new FakeUndo(this.feed);
    this.spaces = new FakeSpaces(this.feed);
    this.home = new FakeHome(this.feed);
    this.files = new FakeFiles(
      this.feed,
      () => this.history ?? this.feed.read<RoomView>('room:ch_general').messages,
    );
    this.annotations = new FakeAnnotations(
      this.feed,
      (room) => this.history ?? this.feed.read<RoomView>(`room:${room}`).messages,
    );
    this.conversations = new FakeConversations(this.feed, (id) => this.putRoom(id, []));
    world.fill?.(this);
    this.handlers = {
      ...this.table(),
      ...this.home.table(),
      ...this.consent.table(),
      ...this.work.table(),
      ...this.tasks.table(),
      ...this.runs.table(),
      ...this.turns.table(),
      ...this.undo.table(),
      ...this.spaces.table(),
      ...this.settings.table(),
      ...this.files.table(),
      ...this.page.table(),
      ...this.programs.table(),
      ...this.extensions.table(),
      ...this.annotations.table(),
      ...this.conversations.table(),
    };
    this.server = createServer((request, response) => {
      this.requests.push(servePage(request, response));
    });
    const live = new WebSocketServer({ server: this.server, path: '/ws' });
    live.on('connection', (socket) => this.connected(socket));
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((done) => this.server.listen(port, '127.0.0.1', done));
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cutLines();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  /** Simulates the death of the host under an open page. */
  cutLines(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  /** The method fails for the inputs that `why` has an error for. */
  refuse<Input>(method: MethodName, why: (input: Input) => AppError | null): void {
    this.refusals.set(method, why);
  }

  putRoom(id: string, messages: ChatMessage[]): void {
    this.feed.put(`room:${id}`, {
      roomId: id,
      messages,
      hasMore: false,
      drafts: {},
      annotations: {},
    } satisfies RoomView);
  }

  add(one: ChatMessage): void {
    const at = this.feed.read<RoomView>(`room:${one.roomId}`).messages.length;
    this.feed.patch(`room:${one.roomId}`, { op: 'set', path: ['messages', at], value: one });
  }

  private connected(socket: WebSocket): void {
    this.sockets.add(socket);
    const stops = new Map<number, () => void>();
    socket.on('close', () => {
      this.sockets.delete(socket);
      for (const stop of stops.values()) stop();
    });
    let welcomed = false;
    const line = createLine();
    socket.on('message', (data) => line('page', () => receive(JSON.parse(String(data)))));
    const receive = (json: unknown): void => {
      if (socket.readyState !== socket.OPEN) return;
      if (!welcomed) {
        helloFrameSchema.parse(json);
        welcomed = true;
        socket.send(JSON.stringify({ type: 'welcome', session: fakeSession }));
        return;
      }
      const own = sessionFrameSchema.safeParse(json);
      if (own.success) {
        if (own.data.type === 'sign-out') socket.close(signedOutCode, 'signed out');
        return;
      }
      const frame = clientFrameSchema.parse(json);
      const tell = (value: unknown): void => {
        const text = JSON.stringify(value);
        line(`host ${frame.id}`, () => socket.send(text));
      };
      if (frame.type === 'call')
        void this.call(frame.method, frame.input).then((result) =>
          tell({ type: 'result', id: frame.id, result }),
        );
      else if (frame.type === 'subscribe') {
        if (frame.topic.startsWith('room:') && !this.feed.has(frame.topic))
          this.putRoom(frame.topic.slice(5), []);
        stops.set(
          frame.id,
          this.feed.listen(frame.topic, (event) => tell({ type: 'event', id: frame.id, event })),
        );
      } else stops.get(frame.id)?.();
    };
  }

  private async call(method: string, input: unknown): Promise<Result<unknown>> {
    if (!isMethodName(method)) return err(textError('not_found', `There is no method ${method}.`));
    const parsed = methods[method].input.safeParse(input);
    if (!parsed.success) return err(textError('invalid_input', parsed.error.message));
    this.calls.push({ method, input: parsed.data });
    await this.held.get(method);
    const failure =
      this.failing.get(method) ?? this.refusals.get(method)?.(parsed.data as never) ?? undefined;
    if (failure !== undefined) return err(failure);
    const handler = this.handlers[method];
    if (handler === undefined) return err(textError('unsupported', `The fake host does not do ${method}.`));
    const result = await handler(parsed.data as never);
    return result.ok ? ok(methods[method].output.parse(result.value)) : result;
  }

  private table(): Partial<Record<MethodName, Handler>> {
    return {
      'setup.tryDemo': () => tryDemo(this.feed, () => this.add(greeting)),
      'setup.removeDemo': () => {
        this.feed.put('host', hostView({ firstRun: true, demo: false }));
        return ok({});
      },
      'host.unlock': ({ passphrase }: { passphrase: string }) => {
        if (passphrase !== 'open sesame')
          return err(
            textError('locked', 'That passphrase does not open the vault. Nothing was changed.', {
              hint: 'Check capitals and the keyboard layout, then try again.',
            }),
          );
        this.feed.patch('host', { op: 'set', path: ['state'], value: 'ready' });
        return ok({});
      },
      'host.doctor': () => ok({ checks }),
      ...this.models.table(),
      'agents.create': ({ id, displayName }: { id: string; displayName: string }) => {
        const made = agent(id, { displayName, slug: null });
        this.feed.patch('agents', { op: 'set', path: [id], value: made });
        return ok({ agent: made, registered: false, note: '' });
      },
      'agents.get': ({ agent }: { agent: string }) => this.detail(agent),
      'agents.picture': ({ agent }: { agent: string }) =>
        ok({ picture: this.pictures[agent] ? `data:image/png;base64,${this.pictures[agent]}` : '' }),
      'agents.edit': (input: Edit) => this.edit(input),
      'agents.pause': ({ agent }: { agent: string }) => this.life(agent, 'paused', 'offline'),
      'agents.resume': ({ agent }: { agent: string }) => this.life(agent, 'running', 'idle'),
      'agents.restart': ({ agent }: { agent: string }) => this.life(agent, 'running', 'idle'),
      'agents.archive': ({ agent }: { agent: string }) => {
        this.feed.patch('agents', { op: 'delete', path: [agent] });
        return ok({ path: `/home/ada/.kennel/archived/${agent}` });
      },
      'agents.delete': ({ agent }: { agent: string }) => {
        this.feed.patch('agents', { op: 'delete', path: [agent] });
        return ok({});
      },
      'chat.send': (input: Sent) => this.send(input),
      'chat.history': (input: Page) =>
        ok(pageOf(this.history ?? this.feed.read<RoomView>(`room:${input.room}`)?.messages ?? [], input)),
      'chat.markRead': ({ room: id }: { room: string }) => {
        this.feed.patch('rooms', { op: 'set', path: ['rooms', id, 'unread'], value: 0 });
        return ok({});
      },
      'chat.mute': ({
        room: id,
        thread,
        on = true,
        minutes = null,
        mentions = true,
      }: MethodInput<'chat.mute'>) => {
        const until = minutes === null ? null : Date.now() + minutes * 60_000;
        const path = ['mutes', thread ?? id];
        this.feed.patch(
          'rooms',
          on ? { op: 'set', path, value: { until, mentions } } : { op: 'delete', path },
        );
        return ok({ roomId: id, until });
      },
      'notifications.set': ({ quietHours = {}, ...change }: MethodInput<'notifications.set'>) => {
        const now = this.feed.read<HostView>('host').notifications;
        const days = Object.entries({ ...now.quietHours, ...quietHours }).filter(([, span]) => span !== null);
        const value = { ...now, ...change, quietHours: Object.fromEntries(days) };
        this.feed.patch('host', { op: 'set', path: ['notifications'], value });
        return ok({});
      },
      'chat.serverView': ({ room: id }: { room: string }) => this.serverView(id),
    };
  }

  private summary(id: string): AgentSummary {
    return this.feed.read<Record<string, AgentSummary>>('agents')[id]!;
  }

  private detail(id: string): Result<unknown> {
    const summary = this.summary(id);
    if (summary === undefined) return err(textError('not_found', `There is no agent ${id}.`));
    return ok(this.models.detail(detailOf(summary, this.souls[id] ?? '')));
  }

  private edit(input: Edit): Result<unknown> {
    if (input.soul !== undefined) this.souls[input.agent] = input.soul;
    if (input.avatar !== undefined) {
      this.pictures[input.agent] = input.avatar.base64;
      this.feed.patch('agents', { op: 'set', path: [input.agent, 'avatarUrl'], value: '/blobs/blob_1' });
    }
    if (input.displayName !== undefined)
      this.feed.patch('agents', { op: 'set', path: [input.agent, 'displayName'], value: input.displayName });
    if (input.role !== undefined)
      this.feed.patch('agents', { op: 'set', path: [input.agent, 'role'], value: input.role });
    return ok({ agent: this.summary(input.agent), warning: '' });
  }

  private life(id: string, life: AgentSummary['life'], dot: AgentSummary['dot']): Result<unknown> {
    this.feed.patch(
      'agents',
      { op: 'set', path: [id, 'life'], value: life },
      { op: 'set', path: [id, 'dot'], value: dot },
      { op: 'set', path: [id, 'activity'], value: '' },
    );
    return ok(this.summary(id));
  }

  private send({ to, text, threadRootId, files = [] }: Sent): Result<unknown> {
    const id = `msg_own_${++this.sent}`;
    const topic = `room:${to}`;
    this.add(
      mine(id, text, {
        roomId: to,
        sentAt: Date.now(),
        delivery: 'pending',
        threadRootId: threadRootId ?? null,
        attachments: this.files.attach(id, files),
      }),
    );
    const at = this.feed.read<RoomView>(topic).messages.length - 1;
    setTimeout(() => {
      this.feed.patch(topic, { op: 'set', path: ['messages', at, 'delivery'], value: 'sent' });
      if (this.summary('guide')) void this.answer(topic, to, at, id, threadRootId ?? id);
    }, 80);
    return ok({ messageId: id, roomId: to });
  }

  /** Streams the fixed reply word by word, then replaces the draft by the sealed message. */
  private async answer(
    topic: string,
    roomId: string,
    at: number,
    asked: string,
    root: string,
  ): Promise<void> {
    const mark = (state: string): void =>
      this.feed.patch(topic, {
        op: 'set',
        path: ['messages', at, 'marks'],
        value: [
          { agentId: 'guide', slug: 'guide-1c2d', state, reason: '' },
          {
            agentId: 'checker',
            slug: 'checker-1c2d',
            state: 'silent',
            reason: 'not_mentioned',
          },
        ],
      });
    const turnId = `turn_${asked}`;
    mark('working');
    this.feed.patch('agents', { op: 'set', path: ['guide', 'dot'], value: 'working' });
    this.feed.patch(topic, {
      op: 'set',
      path: ['drafts', turnId],
      value: {
        turnId,
        agentId: 'guide',
        slug: 'guide-1c2d',
        name: 'Guide',
        text: '',
        threadRootId: root,
        startedAt: Date.now(),
        steps: [],
      },
    });
    for (const word of reply.split(/(?<= )/)) {
      await this.pause(this.wordMs);
      if (this.stopped) return;
      this.feed.patch(topic, { op: 'append', path: ['drafts', turnId, 'text'], text: word });
    }
    this.feed.patch(topic, { op: 'delete', path: ['drafts', turnId] });
    await this.sealed;
    this.add(
      message(`msg_reply_${asked}`, {
        roomId,
        threadRootId: root,
        text: reply,
        sentAt: Date.now(),
        visible: false,
      }),
    );
    mark('done');
    this.feed.patch('agents', { op: 'set', path: ['guide', 'dot'], value: 'idle' });
  }

  private serverView(id: string): Result<unknown> {
    const rows = this.feed.read<RoomView>(`room:${id}`).messages.map((one, index) => ({
      envelopeId: one.id,
      senderSlug: one.senderSlug,
      sentAt: one.sentAt,
      bytes: 900 + one.text.length * 2,
      recipients: 3,
      ciphertext: noise(index + 1, 420 + one.text.length),
    }));
    return ok({ available: true, note: '', rows });
  }

  private pause(ms: number): Promise<void> {
    return new Promise((done) => setTimeout(done, ms));
  }
}
