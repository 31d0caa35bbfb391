import type { HostApi } from '../contract/host-api.ts';
import { ok, type Result } from '../contract/result.ts';
import { createScope, type Scope } from '../core/lib/scope.ts';
import { say } from '../language/say.ts';
import type { HostLock } from '../services/db/host-lock.ts';
import { buildFeatures, type Features } from './build-features.ts';
import { buildHandlers } from './build-handlers.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { createHostApi } from './host-api.ts';
import type { Host, HostPorts } from './host-ports.ts';
import { finishSteps } from './lifecycle/finish-steps.ts';
import { createHostLife, type HostLife } from './lifecycle/host-life.ts';
import { lockFolder } from './lifecycle/lock-folder.ts';
import { createRetryStart } from './lifecycle/retry-start.ts';
import {
  agentsHeld,
  type Begun,
  closeFolder,
  createVaultStart,
  followRelay,
  startConfigured,
} from './lifecycle/start-configured.ts';
import { watchSettings } from './settings/watch-settings.ts';
import { chooseSocketPath } from './socket-path.ts';
import { openSocketServer } from './transport/socket-server.ts';
import type { WebServer } from './transport/web-server.ts';
import { archiveOldWork } from './work/archive-old-work.ts';

/** ms after which a stopping host no longer waits for its parts and releases the folder. */
const stopLimitMs = 9_500;

/**
 * Locks the folder, builds the features, opens the socket and starts what is configured. Resolves once the host
 * answers; `ready` reports when the rest has started.
 */
export async function createHost(ports: HostPorts): Promise<Result<Host>> {
  const lock = ports.mode === 'look' ? ok(null) : await lockFolder(ports);
  if (!lock.ok) return lock;
  const { clock, random, log } = ports;

  const whole = createScope({ clock, log });
  whole.add('lock', () => lock.value?.release());
  const parts = whole.child('parts', stopLimitMs);
  // The watchdog also guards the stop of the other parts.
  const guard = parts.child('watchdog');
  const socket = parts.child('socket');
  const features = buildFeatures(ports, parts, () => life.state());
  const background = parts.child('background');

  const { topics, problems } = features;
  const life = createHostLife({
    clock,
    log,
    background,
    finishSteps: (now) => finishSteps({ ...features, clock, log }, now),
    scope: whole,
    onState: topics.viewChanged,
  });
  const configured = createRetryStart({
    clock,
    random,
    log,
    isStopping: life.isStopping,
    start: () => startFeatures(features),
    onStarted(state) {
      life.become(state);
      topics.allAgentsChanged();
    },
  });
  background.add('retries', configured.cancel);
  const page = createPage(features, life, parts);
  const handlers = buildHandlers(features, {
    page: page.current,
    stop: (reason) => void clock.after(0, () => void life.stop(reason)),
    resume: configured.run,
  });
  const dispatch = createDispatch(handlers, log);
  const api = createHostApi({ life, dispatch, topics });

  const opened = ports.mode === 'full' ? await openSocket(features, api, lock.value, socket) : ok(undefined);
  if (!opened.ok) {
    await life.stop('could not start');
    return opened;
  }
  const start = async (): Promise<void> => {
    if (ports.mode !== 'full') {
      topics.allAgentsChanged();
      return life.become('ready');
    }
    // The start of many agents needs the most memory.
    const { limitHeap } = await import('../services/heap/heap-limits.ts');
    background.add('heap limits', limitHeap());
    await startAgentFiles(features);
    await configured.run();
    startEntryPoints(features, api, dispatch, background);
    await page.open(api);
    await startGuards(features, life, { guard, background });
    log.info('host_ready', { state: life.state(), agents: features.agents.list().length });
    if (life.state() === 'ready') completeDemo(features, dispatch);
  };
  life.begin(start, (error) => {
    log.error('start_failed', { error });
    problems.set('start', 'error', { message: say('host.startIncomplete') });
  });
  const { ready, stop, stopped } = life;
  return ok({
    ...api,
    home: ports.home,
    ready,
    stop,
    stopped,
    webLink: () => page.current()?.newLink() ?? null,
  });
}

/** The command line's socket opens first; from then on the host answers. */
async function openSocket(
  { ports, layout }: Features,
  api: HostApi,
  lock: HostLock | null,
  scope: Scope,
): Promise<Result<void>> {
  const path = chooseSocketPath(layout);
  if (!path.ok) return path;
  const opened = await openSocketServer({ path: path.value, api, log: ports.log });
  if (!opened.ok) return opened;
  scope.add('socket', () => opened.value.close());
  return lock?.publish(path.value) ?? ok(undefined);
}

async function startAgentFiles(features: Features): Promise<void> {
  const { ports, layout, disk, problems, agents, fleet, tasks, topics } = features;
  features.harness.begin();
  features.data.begin();
  await closeFolder({ layout, disk, log: ports.log, problems });
  agents.onChange((ids) => {
    for (const id of ids) {
      topics.agentChanged(id);
      tasks.agentChanged(id);
    }
    fleet.apply();
  });
  agents.start();
  features.pauses.begin();
  topics.allAgentsChanged();
}

/** Everything that needs the vault: relay, operator, agents. */
function startFeatures(features: Features): Promise<Begun> {
  const { ports, secrets, operator, relay, agents, openParts, problems } = features;
  const { identity, settings, fleet, chat } = features;
  return startConfigured({
    vault: createVaultStart({ secrets, operator, relay, agents, openParts }),
    relay,
    operator,
    problems,
    onRelay: () => followRelay({ relay, agents, problems }),
    onOpen(parts) {
      identity.signUps.begin().catch((error: unknown) => ports.log.error('sign_up_failed', { error }));
      agents.retryKeys();
      settings.reload();
      if (ports.holdAgents) problems.set('held-agents', 'warning', agentsHeld);
      else fleet.begin(parts);
      chat.reset();
    },
  });
}

function startEntryPoints(features: Features, api: HostApi, dispatch: Dispatch, background: Scope): void {
  const { ports, mcp, bridge, schedules, proxy, settings, problems, topics } = features;
  mcp.begin(api.call);
  bridge.begin(dispatch);
  schedules.begin(api.call);
  let shown = settings.config().notifications;
  /** Pages and app learn of edits by hand. */
  const notifications = {
    async apply(): Promise<void> {
      const now = settings.config().notifications;
      if (now !== shown) topics.viewChanged();
      shown = now;
    },
  };
  const watch = { settings, problems, clock: ports.clock, listeners: [proxy, bridge, notifications] };
  background.add('settings', watchSettings(watch));
  background.add('archive', archiveOldWork({ settings, call: api.call, clock: ports.clock, log: ports.log }));
}

/** The page that browsers load on loopback; the first part to stop. */
function createPage({ ports, problems, windowLock }: Features, life: HostLife, scope: Scope) {
  let server: WebServer | null = null;
  return {
    current: (): WebServer | null => server,
    async open(api: HostApi): Promise<void> {
      const { rendererDir, clock, log } = ports;
      if (rendererDir === null || life.isStopping()) return;
      const { openWebServer } = await import('./transport/web-server.ts');
      const opened = await openWebServer({
        api,
        rendererDir,
        clock,
        log,
        checkPassphrase: (passphrase) => windowLock.check(passphrase, 'browser'),
      });
      if (!opened.ok) return problems.set('web', 'warning', opened.error);
      server = opened.value;
      scope.add('page', () => opened.value.close());
    },
  };
}

/** The watchdog against hangs and the heap trimmer, loaded after everything else has started. */
async function startGuards(
  { ports, layout, topics }: Features,
  life: HostLife,
  scopes: { readonly guard: Scope; readonly background: Scope },
): Promise<void> {
  const { startWatchdog } = await import('./watchdog/watchdog.ts');
  const { startHeapRest } = await import('../services/heap/idle-gc.ts');
  const { releaseFreedMemory } = await import('../services/db/binding.ts');
  if (life.isStopping()) return;
  const { clock, env, relaunch, log } = ports;
  const watchdog = startWatchdog({ clock, logPath: layout.log, env, relaunch });
  scopes.guard.add('watchdog', () => watchdog.stop());
  const isQuiet = (): boolean =>
    Object.values(topics.agents.state()).every(
      ({ dot, life: state }) => dot !== 'working' && state !== 'starting',
    );
  scopes.background.add('heap', startHeapRest({ clock, log, isQuiet, releaseNative: releaseFreedMemory }));
}

/** Completes a demo that a stop or a crash interrupted. */
function completeDemo({ demo }: Features, dispatch: Dispatch): void {
  const record = demo.read();
  if (record.ok && record.value?.complete === false)
    void dispatch({ kind: 'owner-cli' }, 'setup.tryDemo', {});
}
