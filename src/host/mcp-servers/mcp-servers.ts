import { ok, type Result } from '../../contract/result.ts';
import type { McpConnection, McpEvent } from '../../core/mcp/mcp-ports.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { nameOfAgent } from '../agents/agent-view.ts';
import { createAgentServerTools, type OfferedServer } from './agent-server-tools.ts';
import { LiveServer } from './live-server.ts';
import { OpenCalls } from './open-calls.ts';
import { changesDigest, type ServerAsker, type ServerQuestions } from './server-questions.ts';
import type { ServerRecord, ServerRecords } from './server-records.ts';
import type { InvalidServer, ServerSources } from './server-sources.ts';
import type { ServerSpec } from './server-specs.ts';
import { isToolOffered } from './tool-filter.ts';

/** Opens a connection to a server that the operator accepted. */
export type ConnectServer = (
  spec: ServerSpec,
  signal: AbortSignal,
  onEvent: (event: McpEvent) => void,
  /** Calls that the server works on. */
  open: OpenCalls,
) => Promise<Result<McpConnection>>;

export interface McpServersDeps {
  readonly ports: { readonly clock: Clock; readonly random: Random; readonly log: Log };
  readonly sources: ServerSources;
  readonly records: ServerRecords;
  readonly questions: ServerQuestions;
  readonly connect: ConnectServer;
  /** Page on which the operator authorizes a server that starts; `null` if none waits. */
  readonly pageOf: (key: string) => string | null;
}

/** A server with what the operator accepted of it. */
export interface KnownServer {
  readonly spec: ServerSpec;
  readonly record: ServerRecord;
  readonly live: LiveServer;
  readonly isAccepted: boolean;
  readonly authorizePage: string | null;
}

export interface KnownServers {
  readonly known: readonly KnownServer[];
  readonly invalid: readonly InvalidServer[];
}

interface Kept {
  readonly hash: string;
  readonly live: LiveServer;
}

/** The MCP servers of all agents: what may start, what runs, and the tools that they give to agents. */
export class McpServers {
  readonly #deps: McpServersDeps;
  readonly #live = new Map<string, Kept>();
  /** The agent that used a server last, which asks about it. */
  readonly #stopped = new AbortController();
  readonly #askers = new Map<string, ServerAsker>();

  constructor(deps: McpServersDeps) {
    this.#deps = deps;
  }

  /** Tools of the accepted servers of an agent. Asks about the others, and waits for none of the answers. */
  async toolsFor(agent: LoadedAgent, how: 'use' | 'look'): Promise<readonly Tool[]> {
    const servers = await this.list(agent);
    if (!servers.ok) {
      this.#deps.ports.log.warn('mcp_servers_unreadable', { agent: agent.id, error: servers.error });
      return [];
    }
    const asker = { id: agent.id, name: nameOfAgent(agent) };
    const offered = await Promise.all(
      servers.value.known.map(async (known) => {
        if (how === 'use') await this.#prepare(known, asker);
        return this.#offer(known);
      }),
    );
    const there = offered.filter((one) => one !== null);
    return createAgentServerTools(there);
  }

  /** Servers of the agent with the shared ones; with `null` the shared ones alone. */
  async list(agent: LoadedAgent | null): Promise<Result<KnownServers>> {
    const specs = await this.#deps.sources.list(agent);
    if (!specs.ok) return specs;
    const known: KnownServer[] = [];
    for (const spec of specs.value.specs) {
      const record = this.#deps.records.read(spec.key);
      if (!record.ok) return record;
      const isAccepted = record.value.accepted === spec.hash;
      known.push({
        spec,
        record: record.value,
        live: this.#liveOf(spec),
        isAccepted,
        authorizePage: this.#deps.pageOf(spec.key),
      });
    }
    return ok({ known, invalid: specs.value.invalid });
  }

  /** The operator accepts the command or address, as it was shown. */
  accept({ spec }: KnownServer): Result<unknown> {
    const changed = this.#deps.records.change(spec.key, { accepted: spec.hash, refused: null });
    if (changed.ok) this.#deps.questions.withdraw(spec.key);
    return changed;
  }

  /** The operator withdraws an acceptance, or refuses a server that waits for one. */
  async refuse({ spec, live }: KnownServer): Promise<Result<unknown>> {
    const changed = this.#deps.records.change(spec.key, { accepted: null, refused: spec.hash });
    if (!changed.ok) return changed;
    this.#deps.questions.withdraw(spec.key);
    await live.stop();
    return changed;
  }

  acceptTools({ spec, live }: KnownServer): Result<unknown> {
    const accepted = live.acceptTools();
    if (accepted.ok) this.#deps.questions.withdraw(spec.key);
    return accepted;
  }

  /** Ends a server that was removed, and forgets what was accepted of it. */
  async forget(key: string): Promise<Result<void>> {
    this.#deps.questions.withdraw(key);
    await this.#live.get(key)?.live.stop();
    this.#live.delete(key);
    return this.#deps.records.forget(key);
  }

  /** A server that starts waits until the operator signs in on this page. */
  askSignIn(key: string, page: string): void {
    const asker = this.#askers.get(key);
    const live = this.#live.get(key)?.live;
    if (asker && live) this.#deps.questions.askSignIn(asker, { key, page }, () => void live.stop());
  }

  endSignIn(key: string): void {
    this.#deps.questions.endSignIn(key);
  }

  async stop(): Promise<void> {
    this.#deps.questions.stop();
    this.#stopped.abort();
    await Promise.all([...this.#live.values()].map(({ live }) => live.stop()));
  }

  async #prepare({ spec, record, live, isAccepted }: KnownServer, asker: ServerAsker): Promise<void> {
    this.#askers.set(spec.key, asker);
    // Later turns read the accepted definitions, and the server starts with the first call.
    if (isAccepted && record.tools === null) await live.begin(this.#stopped.signal);
    // A start by the operator found the change before any agent used the server.
    if (isAccepted && live.changed().length > 0) this.#askTools(spec, live);
    if (isAccepted || record.refused === spec.hash) return;
    this.#deps.questions.askStart(asker, spec, (allowed) => this.#answered(spec, allowed));
  }

  #offer({ spec, live, isAccepted }: KnownServer): OfferedServer | null {
    const now = this.#deps.records.read(spec.key);
    if (!isAccepted || !now.ok || now.value.tools === null) return null;
    const { hasResources, hasPrompts } = now.value;
    const tools = now.value.tools.filter(({ definition }) => isToolOffered(spec.config, definition.name));
    return { name: spec.name, reaches: spec.reaches, live, tools, hasResources, hasPrompts };
  }

  #answered(spec: ServerSpec, allowed: boolean): void {
    const change = allowed ? { accepted: spec.hash, refused: null } : { accepted: null, refused: spec.hash };
    const changed = this.#deps.records.change(spec.key, change);
    if (!changed.ok) this.#deps.ports.log.error('mcp_answer_not_kept', { error: changed.error });
  }

  #liveOf(spec: ServerSpec): LiveServer {
    const kept = this.#live.get(spec.key);
    if (kept?.hash === spec.hash) return kept.live;
    void kept?.live.stop();
    const { ports, records, connect } = this.#deps;
    const open = new OpenCalls();
    const live: LiveServer = new LiveServer({
      key: spec.key,
      ports,
      records,
      open,
      connect: (signal, onEvent) => connect(spec, signal, onEvent, open),
      onToolsChanged: () => this.#askTools(spec, live),
    });
    this.#live.set(spec.key, { hash: spec.hash, live });
    return live;
  }

  #askTools(spec: ServerSpec, live: LiveServer): void {
    const asker = this.#askers.get(spec.key);
    const changed = live.changed();
    const record = this.#deps.records.read(spec.key);
    if (!asker || !record.ok || record.value.refusedTools === changesDigest(changed)) return;
    this.#deps.questions.askTools(asker, spec, changed, (allowed) => {
      const digest = changesDigest(changed);
      // The server may have changed them again meanwhile; then another question is open.
      const isSame = changesDigest(live.changed()) === digest;
      const done = allowed
        ? isSame
          ? live.acceptTools()
          : ok(undefined)
        : this.#deps.records.change(spec.key, { refusedTools: digest });
      if (!done.ok) this.#deps.ports.log.error('mcp_answer_not_kept', { error: done.error });
    });
  }
}
