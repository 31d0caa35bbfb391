import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { roomSource, type Source } from '../../core/policy/source.ts';
import type { Log } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { DataReader } from '../../core/runtimes/harness-ports.ts';
import type { RoomFilter } from '../../core/tools/tool.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { DataAnswer, DataRequest } from '../../services/data-service/data-app.ts';
import type { DataPlace, DataServer } from '../../services/data-service/data-server.ts';
import { AgentTokens } from '../agents/agent-tokens.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Layout } from '../layout.ts';
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
  /** Before it, every request for access fails. */
  begin(): void;
  access(agentId: string, tcp: boolean): Promise<Result<DataAccess>>;
  /** Reads for the container of one agent, which needs no token; `null` while the service is off. */
  reader(agentId: string): DataReader | null;
  stop(): Promise<void>;
}

/** Limits the reads of a program that acts as an agent (T9). */
interface ReadLimits {
  /** `undefined` if the agent's own access is the only limit. */
  filter(agentId: string): Promise<RoomFilter | undefined>;
  note(agentId: string, sources: readonly Source[]): void;
}

export interface DataServiceDeps {
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly layout: Pick<Layout, 'dataSocket' | 'home'>;
  readonly log: Log;
  readonly addSecret: HostPorts['addSecret'];
  /** `null` if the agent does not run. */
  readonly storeOf: (agentId: string) => AccountStore | null;
  readonly reads: ReadLimits;
}

export function createDataService(deps: DataServiceDeps): DataService {
  return new OneDataService(deps);
}

class OneDataService implements DataService {
  readonly #deps: DataServiceDeps;
  readonly #tokens: AgentTokens;
  readonly #servers = new Map<
    DataPlace['kind'],
    { readonly server: DataServer; readonly place: DataPlace }
  >();
  #last: Promise<unknown> = Promise.resolve();
  #isRunning = false;

  constructor(deps: DataServiceDeps) {
    this.#deps = deps;
    this.#tokens = new AgentTokens(deps.addSecret);
  }

  begin(): void {
    this.#isRunning = true;
  }

  access(agentId: string, tcp: boolean): Promise<Result<DataAccess>> {
    const turn = this.#last.then(() => this.#access(agentId, tcp));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  reader(agentId: string): DataReader | null {
    if (!this.#isRunning || !this.#deps.settings.config().data_service.enabled) return null;
    return async (method, target) => {
      if (!this.#isRunning) return stopped;
      const { createDataApp } = await import('../../services/data-service/data-app.ts');
      const authorization = `Bearer ${this.#tokens.of(agentId)}`;
      const app = createDataApp({ tokens: () => this.#tokens.all(), storeOf: this.#deps.storeOf });
      return this.#readable(app({ method, target, authorization }));
    };
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#last;
    for (const { server } of this.#servers.values()) await server.close();
    this.#servers.clear();
    this.#tokens.clear();
  }

  async #access(agentId: string, tcp: boolean): Promise<Result<DataAccess>> {
    const { settings, layout } = this.#deps;
    const { enabled, bind_host: host, port } = settings.config().data_service;
    if (!this.#isRunning) return err(notRunning);
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
    const { log, storeOf } = this.#deps;
    // Loaded on demand to keep startup fast.
    const [{ createDataApp }, { openDataServer }] = await Promise.all([
      import('../../services/data-service/data-app.ts'),
      import('../../services/data-service/data-server.ts'),
    ]);
    const app = createDataApp({ tokens: () => this.#tokens.all(), storeOf });
    const asked = async (request: DataRequest): Promise<DataAnswer> => this.#readable(app(request));
    const opened = await openDataServer({ place, app: asked, log });
    if (opened.ok) this.#servers.set(place.kind, { server: opened.value, place });
    return opened;
  }

  /** Applies the same read limits as the MCP tools while the program works on untrusted content (T9). */
  async #readable(answer: DataAnswer): Promise<DataAnswer> {
    const { shows, ...said } = answer;
    if (!shows) return said;
    const { reads } = this.#deps;
    const mayRead = await reads.filter(shows.agentId);
    for (const room of shows.rooms) if (mayRead && !(await mayRead(room))) return leftOut;
    reads.note(shows.agentId, shows.rooms.map(roomSource));
    return said;
  }
}

const leftOut: DataAnswer = {
  status: 403,
  json: { error: 'not everybody who reads the conversation at work may read this' },
};
const stopped: DataAnswer = { status: 503, json: { error: 'Kennel stops' } };
const notRunning = fail('unavailable', 'programs.dataUnavailable', {}, { help: 'programs.startKennel' });
const switchedOff = fail(
  'conflict',
  'programs.dataServiceSwitchedOff',
  {},
  { help: 'programs.enableDataService' },
);
