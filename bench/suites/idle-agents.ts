/**
 * Cost of a thousand registered, connected, idle agents for their host (performance goals P9, P10). The relay
 * runs in its own process. The host runs three times: to register the agents, idle with heartbeats an hour
 * apart, and with its usual heartbeats; a proxy counts those.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { openCountingProxy } from '../lib/counting-proxy.ts';
import { type HostSocket, untilAnswering } from '../lib/host-socket.ts';
import { cpuMs, kennelEntry, pause, pssKiB, report, startNode, temporaryHome } from '../lib/measure.ts';

interface Life {
  readonly client: HostSocket;
  readonly pid: number;
}

const agents = Number(process.env.KENNEL_BENCH_AGENTS ?? 1000);
const windowMs = 60_000;
/** After this time in ms, stores are closed and memory is freed. */
const settleMs = 75_000;

const home = temporaryHome();
const data = path.join(home, 'relay-data');
const env = { KENNEL_HOME: home, KENNEL_PASSPHRASE: 'bench' };
const relayPort = 20_000 + (process.pid % 20_000);

const proxy = await openCountingProxy(relayPort);
const where = ['--listen', `127.0.0.1:${relayPort}`, '--host', `127.0.0.1:${proxy.port}`];
const relay = startNode([kennelEntry, 'relay', '--data', data, ...where], env);
async function untilListening(): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    const up = await fetch(`http://127.0.0.1:${relayPort}/`).then(
      () => true,
      () => false,
    );
    if (up) return;
    await pause(50);
  }
  throw new Error('the relay did not come up');
}
await untilListening();
const minted = spawnSync(process.execPath, [kennelEntry, 'relay', 'invite', '--data', data, '--json'], {
  encoding: 'utf8',
  env: { ...process.env, ...env },
});
const inviteCode = (JSON.parse(minted.stdout) as { code: string }).code;

/** Starts a host, runs `use`, and always stops the host. */
async function withHost<T>(
  more: Readonly<Record<string, string>>,
  use: (host: Life) => Promise<T>,
): Promise<T> {
  const child = startNode([kennelEntry, 'start', '--no-demo', '--no-web'], { ...env, ...more });
  const { client } = await untilAnswering(home);
  try {
    return await use({ client, pid: child.pid ?? 0 });
  } finally {
    client.close();
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

async function create(api: HostSocket, from: number, step: number): Promise<void> {
  for (let i = from; i < agents; i += step) {
    const made = await api.call<{ registered: boolean; note: string }>('agents.create', {
      id: `idle-${i}`,
      provider: 'scripted',
      displayName: `Idle ${i}`,
    });
    if (!made.registered) throw new Error(made.note);
  }
}
async function untilIdle(client: HostSocket): Promise<void> {
  for (let i = 0; i < 300; i += 1) {
    const { agents: all } = await client.call<{ agents: { dot: string }[] }>('agents.list');
    if (all.length >= agents && all.every(({ dot }) => dot === 'idle')) return;
    await pause(1000);
  }
  throw new Error('not every agent came to rest');
}
async function cpuPercent(pid: number): Promise<number> {
  const from = cpuMs(pid);
  await pause(windowMs);
  return ((cpuMs(pid) - from) / windowMs) * 100;
}

const pssBefore = await withHost({}, async ({ client, pid }) => {
  await client.call('host.unlock', { passphrase: 'bench' });
  await client.call('setup.signUp', {
    serverUrl: `http://127.0.0.1:${proxy.port}`,
    inviteCode,
    username: 'bench',
  });
  await pause(settleMs);
  const pss = pssKiB(pid);
  const started = performance.now();
  await Promise.all([0, 1, 2, 3].map((lane) => create(client, lane, 4)));
  process.stderr.write(
    `  ${agents} agents registered in ${Math.round((performance.now() - started) / 1000)} s\n`,
  );
  return pss;
});

const rest = await withHost({ KENNEL_HEARTBEAT_SECONDS: '3600' }, async ({ client, pid }) => {
  await untilIdle(client);
  await pause(settleMs);
  const beats = proxy.beats();
  const percent = await cpuPercent(pid);
  return { percent, beats: proxy.beats() - beats, pss: pssKiB(pid), connections: proxy.connections() };
});

const beating = await withHost({}, async ({ client, pid }) => {
  await untilIdle(client);
  await pause(settleMs);
  const beats = proxy.beats();
  const percent = await cpuPercent(pid);
  return { percent, beats: proxy.beats() - beats };
});

relay.kill('SIGTERM');
proxy.close();
rmSync(home, { recursive: true, force: true });

const perAgent = (rest.pss - pssBefore) / agents;
report([
  {
    name: 'PSS per idle agent, KiB / 64 KiB',
    ratio: perAgent / 64,
    goal: 1,
    better: 'lower',
    figures: {
      agents,
      kiBPerAgent: perAgent,
      pssBeforeKiB: pssBefore,
      pssAfterKiB: rest.pss,
      connections: rest.connections,
    },
  },
  {
    name: `CPU of ${agents} idle agents without heartbeats, % of a core / 0.5`,
    ratio: rest.percent / 0.5,
    goal: 1,
    better: 'lower',
    figures: {
      percentWithout: rest.percent,
      heartbeatsWithout: rest.beats,
      percentWith: beating.percent,
      heartbeatsWith: beating.beats,
    },
  },
]);
