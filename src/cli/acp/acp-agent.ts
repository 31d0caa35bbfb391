import { basename, isAbsolute, join, relative } from 'node:path';
import { type AgentContext, agent, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import { chatCommands } from '../../contract/chat-commands.ts';
import type { AppError } from '../../contract/errors.ts';
import type { AgentDetail, Room } from '../../contract/model.ts';
import { conversationTitle, isConversationOf } from '../../contract/room-conversations.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { copy, shownError } from '../copy.ts';
import { createHostSession, type HostSession } from '../host-call.ts';
import type { HostConnection } from '../host-client.ts';
import { CommandFailure, commandFailure } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { EditorSession } from './acp-session.ts';
import type { EditorPort } from './editor-port.ts';

// An agent of Kennel as an agent of the Agent Client Protocol, for one editor. It is a client of the running host and
// has the rights of the operator's command line. A session id is the id of a conversation, so sessions survive restarts
// of editor and host, and the window shows them, too.

export interface AcpAgentDeps {
  readonly wanted: string;
  readonly version: string;
  /** `null` if no host runs. */
  connect(): Promise<HostConnection | null>;
  notRunning(): CommandFailure;
  log(text: string): void;
}

/** Codes of the protocol for errors that an editor treats specially. */
function requestError(error: unknown): unknown {
  if (!(error instanceof CommandFailure)) return error;
  const { code } = error.error;
  return new RequestError(codes[code] ?? -32603, shownError(error.error), { code });
}

const codes: Partial<Record<AppError['code'], number>> = {
  invalid_input: -32602,
  too_large: -32602,
  unsupported: -32602,
  not_found: -32002,
};

function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === '' || (!below.startsWith('..') && !isAbsolute(below));
}

const cleanUpAfterMs = 3_600_000;

interface Asked {
  readonly cwd: string;
  readonly mcpServers: readonly { readonly name: string }[];
}

export class AcpAgent {
  readonly #deps: AcpAgentDeps;
  readonly #sessions = new Map<string, EditorSession>();
  #host: HostSession | null = null;

  constructor(deps: AcpAgentDeps) {
    this.#deps = deps;
  }

  app() {
    const plain =
      <Params, Value>(work: (context: { params: Params; client: AgentContext }) => Promise<Value>) =>
      (context: { params: Params; client: AgentContext }): Promise<Value> =>
        work(context).catch((error: unknown) => {
          throw requestError(error);
        });
    const { session } = methods.agent;
    return agent({ name: 'kennel' })
      .onRequest(methods.agent.initialize, () => this.#initialize())
      .onRequest(methods.agent.authenticate, () => ({}))
      .onRequest(
        session.new,
        plain(async ({ params, client }) => ({ sessionId: await this.#new(params, client) })),
      )
      .onRequest(
        session.load,
        plain(async ({ params: { sessionId, ...asked }, client }) => {
          await (await this.#open(sessionId, client, asked)).replay();
          return {};
        }),
      )
      .onRequest(
        session.resume,
        plain(async ({ params: { sessionId, cwd, mcpServers = [] }, client }) => {
          await this.#open(sessionId, client, { cwd, mcpServers });
          return {};
        }),
      )
      .onRequest(
        session.list,
        plain(async ({ params: { cwd } }) => ({ sessions: await this.#list(cwd ?? null) })),
      )
      .onRequest(
        session.close,
        plain(async ({ params: { sessionId } }) => {
          await this.#close(sessionId);
          return {};
        }),
      )
      .onRequest(
        session.prompt,
        plain(async ({ params: { sessionId, prompt }, client }) => {
          // After a restart of the host the conversation is opened again.
          const open = this.#sessions.get(sessionId) ?? (await this.#open(sessionId, client, null));
          return { stopReason: await open.prompt(prompt) };
        }),
      )
      .onNotification(session.cancel, ({ params: { sessionId } }) => this.#sessions.get(sessionId)?.cancel());
  }

  /** Turns that run go on in Kennel. */
  async end(): Promise<void> {
    for (const id of [...this.#sessions.keys()])
      await this.#close(id).catch((error: unknown) => this.#deps.log(String(error)));
    this.#host?.client.close();
  }

  #initialize() {
    const { version } = this.#deps;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'kennel', title: 'Kennel', version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    };
  }

  async #hostSession(): Promise<HostSession> {
    if (this.#host) return this.#host;
    const connection = await this.#deps.connect();
    if (!connection) throw this.#deps.notRunning();
    this.#host = createHostSession(connection, true);
    return this.#host;
  }

  async #agent({ call }: HostSession): Promise<AgentDetail & { readonly slug: string }> {
    const found = await call('agents.get', { agent: this.#deps.wanted });
    const { displayName, slug } = found;
    if (slug === null) {
      const name = visibleTerminalLine(displayName);
      throw commandFailure('unavailable', 'cliAcp.noIdentity', { name });
    }
    return { ...found, slug };
  }

  async #conversations(host: HostSession, slug: string): Promise<readonly Room[]> {
    const { rooms } = await host.call('chat.rooms', {});
    return Object.values(rooms).filter((room) => isConversationOf(room, dmRoomId(slug)));
  }

  async #new(asked: Asked, client: AgentContext): Promise<string> {
    const host = await this.#hostSession();
    const { slug } = await this.#agent(host);
    const title = copy('cliAcp.conversation', { folder: basename(asked.cwd) });
    const unused = (await this.#conversations(host, slug)).find(
      (room) =>
        room.lastMessageAt === null &&
        room.conversation?.title === title &&
        // A younger one may be open in another editor.
        room.conversation.startedAt < Date.now() - cleanUpAfterMs &&
        !this.#sessions.has(room.id),
    );
    // With a title, two sessions never share an empty conversation.
    const roomId =
      unused?.id ?? (await host.call('chat.newConversation', { room: dmRoomId(slug), title })).roomId;
    await this.#open(roomId, client, asked, true);
    return roomId;
  }

  /** `asked`: `null` for a session that the editor began before. */
  async #open(
    roomId: string,
    client: AgentContext,
    asked: Asked | null,
    isNew = false,
  ): Promise<EditorSession> {
    const host = await this.#hostSession();
    const found = await this.#agent(host);
    const rooms = await this.#conversations(host, found.slug);
    if (!isNew && !rooms.some(({ id }) => id === roomId))
      throw commandFailure('not_found', 'cliAcp.noConversation', {
        name: visibleTerminalLine(found.displayName),
      });
    if (this.#sessions.has(roomId)) await this.#close(roomId);
    const session: EditorSession = new EditorSession(
      {
        client: host.client,
        editor: this.#editor(roomId, client),
        agent: { id: found.id, slug: found.slug },
        roomId,
        onLost: () => {
          this.#sessions.delete(roomId);
          if (this.#host === host) this.#host = null;
        },
      },
      isNew,
    );
    if (asked) session.setPreface(await this.#preface(host, found, asked));
    this.#sessions.set(roomId, session);
    await session.open();
    // The editor knows the session only once it has the response to its request.
    setImmediate(() => this.#tellCommands(roomId, client));
    return session;
  }

  async #close(roomId: string): Promise<void> {
    const session = this.#sessions.get(roomId);
    this.#sessions.delete(roomId);
    await session?.close();
  }

  async #list(cwd: string | null) {
    const host = await this.#hostSession();
    const found = await this.#agent(host);
    const rooms = await this.#conversations(host, found.slug);
    return (
      rooms
        .filter((room) => room.lastMessageAt !== null && room.conversation?.archived !== true)
        .sort((a, b) => (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0))
        // A conversation belongs to no folder of an editor.
        .map((room) => ({
          sessionId: room.id,
          cwd: cwd ?? join(found.folder, 'workspace'),
          title: conversationTitle(room) || found.displayName,
          updatedAt: new Date(room.lastMessageAt ?? 0).toISOString(),
        }))
    );
  }

  #editor(sessionId: string, client: AgentContext): EditorPort {
    const { log } = this.#deps;
    return {
      log,
      update: (update) => {
        client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined);
      },
      ask: (request, signal) =>
        client.request(
          methods.client.session.requestPermission,
          { sessionId, ...request },
          { cancellationSignal: signal, stopWaitingOnCancel: true },
        ),
    };
  }

  #tellCommands(sessionId: string, client: AgentContext): void {
    const availableCommands = chatCommands.map(({ name, needsText }) => ({
      name,
      description: copy(`cliAcp.command_${name}`),
      ...(needsText ? { input: { hint: copy('cliAcp.commandText') } } : {}),
    }));
    this.#editor(sessionId, client).update({
      sessionUpdate: 'available_commands_update',
      availableCommands,
    });
  }

  async #preface({ call }: HostSession, found: AgentDetail, { cwd, mcpServers }: Asked) {
    const { folders } = await call('agents.tools', { agent: found.id });
    const name = visibleTerminalLine(found.displayName);
    const isInside = folders.some(({ path }) => isBelow(path, cwd));
    const servers = mcpServers.map((server) => visibleTerminalLine(server.name)).join(', ');
    const remarks = [
      ...(isInside ? [] : [copy('cliAcp.folderClosed', { name, folder: cwd })]),
      ...(servers === '' ? [] : [copy('cliAcp.noServers', { name, servers })]),
    ];
    if (remarks.length > 0) this.#deps.log(remarks.join(' '));
    const isElsewhere = isInside && !isBelow(folders[0]?.path ?? '', cwd);
    // Quoted, so that a line break in the path does not end the sentence.
    const toAgent = isElsewhere ? copy('cliAcp.openFolder', { folder: JSON.stringify(cwd) }) : '';
    return { toAgent, toOperator: remarks.join('\n\n') };
  }
}
