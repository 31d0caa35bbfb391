import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { roomSource } from '../../core/policy/source.ts';
import type { DataAnswer, DataRequest } from '../../services/data-service/data-app.ts';
import type { DataPlace, DataServer } from '../../services/data-service/data-server.ts';
import { AgentTokens } from '../agent-tokens.ts';
import type { HostContext } from '../context.ts';
import { choosePlace } from '../socket-path.ts';

/** Access for an agent's tool to that agent's messages. */
export interface DataAccess {
  /** Socket path, or empty for TCP. */
  readonly socket: string;
  /** TCP address, or empty for a socket. */
  readonly url: string;
  readonly token: string;
}

/**
 * The data service for tools and containers. It opens on the first request for access; tokens are valid until
 * the host stops.
 */
export interface DataService {
  access(agentId: string, tcp: boolean): Promise<Result<DataAccess>>;
  stop(): Promise<void>;
}

export function createDataService(context: () => HostContext): DataService {
  return new OneDataService(context);
}

class OneDataService implements DataService {
  readonly #look: () => HostContext;
  readonly #tokens: AgentTokens;
  readonly #servers = new Map<
    DataPlace['kind'],
    { readonly server: DataServer; readonly place: DataPlace }
  >();
  #last: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(look: () => HostContext) {
    this.#look = look;
    this.#tokens = new AgentTokens((token) => this.#look().ports.addSecret(token));
  }

  access(agentId: string, tcp: boolean): Promise<Result<DataAccess>> {
    const turn = this.#last.then(() => this.#access(agentId, tcp));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#last;
    for (const { server } of this.#servers.values()) await server.close();
    this.#servers.clear();
    this.#tokens.clear();
  }

  async #access(agentId: string, tcp: boolean): Promise<Result<DataAccess>> {
    const { settings, ports, layout } = this.#look();
    const { enabled, bind_host: host, port } = settings.config().data_service;
    if (ports.mode !== 'full' || this.#stopped) return err(notRunning);
    if (!enabled) return err(switchedOff);
    // On Windows other programs rarely support Unix sockets.
    const isTcp = tcp || process.platform === 'win32';
    const path = isTcp ? ok('') : choosePlace(layout.dataSocket, layout.home, 'data');
    if (!path.ok) return path;
    const place: DataPlace = isTcp ? { kind: 'tcp', host, port } : { kind: 'socket', path: path.value };
    const server = await this.#open(place);
    return server.ok
      ? ok({ socket: path.value, url: server.value.url, token: this.#tokens.of(agentId) })
      : server;
  }

  async #open(place: DataPlace): Promise<Result<DataServer>> {
    const known = this.#servers.get(place.kind);
    if (known && JSON.stringify(known.place) === JSON.stringify(place)) return ok(known.server);
    await known?.server.close();
    this.#servers.delete(place.kind);
    const { ports, fleet } = this.#look();
    // Loaded on demand to keep startup fast.
    const [{ createDataApp }, { openDataServer }] = await Promise.all([
      import('../../services/data-service/data-app.ts'),
      import('../../services/data-service/data-server.ts'),
    ]);
    const app = createDataApp({
      tokens: () => this.#tokens.all(),
      storeOf: (agentId) => fleet.post(agentId)?.store ?? null,
    });
    const asked = async (request: DataRequest): Promise<DataAnswer> => this.#readable(app(request));
    const opened = await openDataServer({ place, app: asked, log: ports.log });
    if (opened.ok) this.#servers.set(place.kind, { server: opened.value, place });
    return opened;
  }

  /** Applies the same read limits as the MCP tools while the program works on untrusted content (T9). */
  async #readable(answer: DataAnswer): Promise<DataAnswer> {
    const { shows, ...said } = answer;
    if (!shows) return said;
    const { fleet, mcp } = this.#look();
    const reads = await mcp.reads();
    const mayRead = await reads.filter(shows.agentId, fleet.post(shows.agentId));
    for (const room of shows.rooms) if (mayRead && !(await mayRead(room))) return leftOut;
    reads.note(shows.agentId, shows.rooms.map(roomSource));
    return said;
  }
}

const leftOut: DataAnswer = {
  status: 403,
  json: { error: 'not everybody who reads the conversation at work may read this' },
};
const notRunning = appError('unavailable', 'Kennel is not running, so nothing can be read.', {
  hint: 'Start it with "kennel start", then try again.',
});
const switchedOff = appError('conflict', 'The data service is switched off in daemon.yml.', {
  hint: 'Set "enabled: true" under "data_service" there.',
});
