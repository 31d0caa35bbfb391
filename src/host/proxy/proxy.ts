import { ok, type Result } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { Problems } from '../problems.ts';
import type { ProxyServer } from './proxy-server.ts';
import type { ProxyStreamDeps } from './proxy-stream.ts';
import type { ProxyTokens } from './proxy-tokens.ts';

/** The stream proxy as configured by daemon.yml. */
export interface StreamProxy {
  readonly tokens: ProxyTokens;
  /** The address in use, or the one that would be used. */
  url(): string;
  /** Aligns the listener with the settings; errors become problems. */
  apply(): Promise<void>;
  stop(): Promise<void>;
}

export interface StreamProxyDeps {
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly problems: Problems;
  readonly tokens: ProxyTokens;
  readonly stream: ProxyStreamDeps;
  readonly log: Log;
}

export function createStreamProxy(deps: StreamProxyDeps): StreamProxy {
  return new OneProxy(deps);
}

class OneProxy implements StreamProxy {
  readonly tokens: ProxyTokens;
  readonly #deps: StreamProxyDeps;
  #server: ProxyServer | null = null;
  /** The settings in force, as JSON. */
  #applied = '';
  #last: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: StreamProxyDeps) {
    this.#deps = deps;
    this.tokens = deps.tokens;
  }

  url(): string {
    const { bind_host, port } = this.#deps.settings.config().stream_proxy;
    return this.#server?.url ?? `http://${bind_host}:${port}`;
  }

  apply(): Promise<void> {
    const wanted = this.#deps.settings.config().stream_proxy;
    const key = JSON.stringify(wanted);
    if (key === this.#applied || this.#stopped) return this.#last;
    this.#applied = key;
    this.#last = this.#last.then(async () => {
      await this.#close();
      const opened = wanted.enabled && !this.#stopped ? await this.#open(wanted) : ok(null);
      if (opened.ok) this.#deps.problems.clear('stream-proxy');
      else this.#deps.problems.set('stream-proxy', 'error', opened.error);
      if (opened.ok) this.#server = opened.value;
    });
    return this.#last;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#last;
    await this.#close();
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.close();
  }

  async #open(wanted: { bind_host: string; port: number }): Promise<Result<ProxyServer>> {
    const { openProxyServer } = await import('./proxy-server.ts');
    const { tokens, stream, log } = this.#deps;
    const { bind_host: host, port } = wanted;
    return openProxyServer({ ...stream, host, port, tokens, log });
  }
}
