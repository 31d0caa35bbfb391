import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { McpConnection, McpEvent, McpToolDefinition } from '../../core/mcp/mcp-ports.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { HeldServer, ResourceServers } from '../schedules/resource-watches.ts';
import type { LiveServer } from './live-server.ts';
import type { McpServers } from './mcp-servers.ts';

type Listener = (event: McpEvent) => void;

/** Keeps an accepted server running while one of its resources is watched. Starts none that waits for a yes. */
class WatchedLiveServer implements HeldServer {
  readonly server: { readonly name: string };
  readonly #find: () => Promise<Result<LiveServer>>;
  readonly #listeners = new Set<Listener>();
  readonly #ending = new AbortController();
  #held: Promise<Result<McpConnection>> | null = null;
  #holding: Promise<unknown> = Promise.resolve();

  constructor(name: string, find: () => Promise<Result<LiveServer>>) {
    this.server = { name };
    this.#find = find;
  }

  connection(): Promise<Result<McpConnection>> {
    this.#held ??= this.#hold();
    return this.#held;
  }

  async tools(): Promise<Result<readonly McpToolDefinition[]>> {
    const connection = await this.connection();
    return connection.ok ? connection.value.tools({ signal: this.#ending.signal }) : connection;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#holding;
  }

  async #hold(): Promise<Result<McpConnection>> {
    const found = await this.#find();
    const { signal } = this.#ending;
    if (!found.ok) {
      this.#held = null;
      return found;
    }
    const live = found.value;
    return new Promise((resolve) => {
      // In use until it is lost, so it is not stopped for being idle.
      this.#holding = live
        .hold(signal, async (connection) => {
          const lost = this.#untilLost(live, signal);
          resolve(ok(connection));
          await lost;
          return ok(undefined);
        })
        .then((ended) => {
          this.#held = null;
          if (!ended.ok) resolve(ended);
        });
    });
  }

  #untilLost(live: LiveServer, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        unlisten();
        signal.removeEventListener('abort', end);
        this.#held = null;
        resolve();
      };
      const unlisten = live.listen((event) => {
        if (event.kind === 'closed') end();
        for (const listener of [...this.#listeners]) listener(event);
      });
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  }
}

export const createResourceServers =
  (servers: Pick<McpServers, 'list'>, agentOf: (id: string) => LoadedAgent | null): ResourceServers =>
  (name, agentId) =>
    new WatchedLiveServer(name, async () => {
      const agent = agentId === null ? null : agentOf(agentId);
      if (agentId !== null && !agent) return err(fail('not_found', 'schedules.agentGone', { id: agentId }));
      const listed = await servers.list(agent);
      if (!listed.ok) return listed;
      const known = listed.value.known.find(({ spec }) => spec.name === name && spec.agentId === agentId);
      if (!known) return err(fail('not_found', 'schedules.noServer', { name }));
      if (!known.isAccepted) return err(fail('forbidden', 'schedules.serverNotAccepted', { name }));
      return ok(known.live);
    });
