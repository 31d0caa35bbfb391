import { createServer } from 'node:net';
import type { DoctorCheck } from '../../contract/model.ts';
import type { Clock } from '../../core/ports.ts';
import { withoutEndSlashes } from '../../core/puffo/server-url.ts';
import { say } from '../../language/say.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Operator } from '../identity/operator.ts';
import type { EmbeddedRelay } from '../relay/embedded-relay.ts';

const patienceMs = 5_000;
const mostServers = 5;
/** Servers tolerate five minutes; the warning comes earlier. */
const skewWarnMs = 60_000;
const skewFailMs = 4 * 60_000;

export interface ServerCheckDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly operator: Pick<Operator, 'record'>;
  readonly agents: Pick<AgentStore, 'list'>;
  readonly relay: Pick<EmbeddedRelay, 'isOurs'>;
}

function serverUrls({ operator, agents, relay }: ServerCheckDeps): string[] {
  const record = operator.record();
  const own = record.ok && record.value ? [record.value.serverUrl] : [];
  const theirs = agents.list().flatMap(({ lastGood }) => {
    const core = lastGood?.puffo_core;
    return core && core.slug !== '' ? [core.server_url] : [];
  });
  const urls = new Set([...own, ...theirs].map(withoutEndSlashes));
  // The embedded relay needs no check.
  return [...urls].filter((url) => !relay.isOurs(url)).slice(0, mostServers);
}

interface Heard {
  readonly check: DoctorCheck;
  /** ms that this computer is ahead, or `null` if the server sent no time. */
  readonly aheadMs: number | null;
}

async function ask({ clock, fetch }: ServerCheckDeps, url: string): Promise<Heard> {
  const check = { id: `reach-${url}`, title: say('doctor.server') } as const;
  const began = clock.now();
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const answer = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
    const told = Date.parse(answer.headers.get('date') ?? '');
    // The `Date` header has a resolution of seconds and dates from some moment of the request.
    const middle = (began + clock.now()) / 2;
    const aheadMs = Number.isNaN(told) ? null : middle - (told + 500);
    return { check: { ...check, status: 'ok', detail: say('doctor.serverAnswers', { url }) }, aheadMs };
  } catch {
    const hint = say('doctor.checkNetwork');
    return {
      check: { ...check, status: 'warn', detail: say('doctor.serverUnreachable', { url }), hint },
      aheadMs: null,
    };
  }
}

function clockCheck(heard: readonly Heard[]): DoctorCheck[] {
  const told = heard.flatMap(({ aheadMs }) => (aheadMs === null ? [] : [aheadMs]));
  if (told.length === 0) return [];
  const ahead = told.reduce((worst, one) => (Math.abs(one) > Math.abs(worst) ? one : worst));
  const check = { id: 'clock', title: say('doctor.clock') } as const;
  if (Math.abs(ahead) < skewWarnMs) return [{ ...check, status: 'ok', detail: say('doctor.clockAgrees') }];
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  return [
    {
      ...check,
      status: Math.abs(ahead) >= skewFailMs ? 'fail' : 'warn',
      detail: say(ahead > 0 ? 'doctor.clockAhead' : 'doctor.clockBehind', { n: minutes }),
      hint: say('doctor.setClock'),
    },
  ];
}

/** Reachability of the accounts' servers, and clock skew against them. */
export async function checkServers(deps: ServerCheckDeps): Promise<DoctorCheck[]> {
  const heard = await Promise.all(serverUrls(deps).map((url) => ask(deps, url)));
  return [...heard.map(({ check }) => check), ...clockCheck(heard)];
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export interface PortCheckDeps {
  readonly mode: HostPorts['mode'];
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly bridge: { status(): { readonly url: string | null } };
}

/** Ports of daemon.yml that another process uses; ports of this host are fine. */
export async function checkPorts({ settings, bridge, mode }: PortCheckDeps): Promise<DoctorCheck[]> {
  const { bridge: local, stream_proxy: proxy } = settings.config();
  const wanted = [
    { name: say('doctor.localBridge'), at: local, ours: bridge.status().url !== null, key: 'bridge.port' },
    {
      name: say('doctor.modelProxy'),
      at: proxy,
      ours: proxy.enabled && mode === 'full',
      key: 'stream_proxy.port',
    },
  ].filter(({ at, ours }) => at.enabled && !ours && at.port !== 0);
  const checks: DoctorCheck[] = [];
  for (const { name, at, key } of wanted) {
    const check = { id: `port-${at.port}`, title: say('doctor.port') } as const;
    if (await isFree(at.port, at.bind_host)) {
      checks.push({ ...check, status: 'ok', detail: say('doctor.portFree', { port: at.port, name }) });
    } else {
      const detail = say('doctor.portTaken', { port: at.port, name });
      checks.push({
        ...check,
        status: 'warn',
        detail,
        hint: say('doctor.changePort', { key }),
      });
    }
  }
  return checks;
}
