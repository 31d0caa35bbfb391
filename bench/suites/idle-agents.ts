/**
 * What a thousand registered, connected, idle agents cost their host (performance goals P9, P10). The relay runs in a
 * process of its own; heartbeats are counted on the way, and their cost is told apart by a straight line through
 * (heartbeats, CPU time) of short slices.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { openCountingProxy } from '../lib/counting-proxy.ts';
import { type HostSocket, untilAnswering } from '../lib/host-socket.ts';
import { cpuMs, kennelEntry, pause, pssKiB, report, startNode, temporaryHome } from '../lib/measure.ts';

const agents = Number(process.env.KENNEL_BENCH_AGENTS ?? 1000);
const slices = 18;
const sliceMs = 10_000;

const home = temporaryHome();
const data = path.join(home, 'relay-data');
const env = { KENNEL_HOME: home, KENNEL_PASSPHRASE: 'bench' };
const relayPort = 20_000 + (process.pid % 20_000);

const relay = startNode([kennelEntry, 'relay', '--data', data, '--listen', `127.0.0.1:${relayPort}`], env);
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
const proxy = await openCountingProxy(relayPort);
const minted = spawnSync(process.execPath, [kennelEntry, 'relay', 'invite', '--data', data, '--json'], {
  encoding: 'utf8',
  env: { ...process.env, ...env },
});
const inviteCode = (JSON.parse(minted.stdout) as { code: string }).code;

const host = startNode(['--expose-gc', kennelEntry, 'start', '--no-demo', '--no-web'], env);
const { client } = await untilAnswering(home);
await client.call('host.unlock', { passphrase: 'bench' });
await client.call('setup.signUp', {
  serverUrl: `http://127.0.0.1:${proxy.port}`,
  inviteCode,
  username: 'bench',
});
const pid = host.pid ?? 0;
await pause(40_000);
const pssBefore = pssKiB(pid);

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
const started = performance.now();
await Promise.all([0, 1, 2, 3].map((lane) => create(client, lane, 4)));
process.stderr.write(
  `  ${agents} agents registered in ${Math.round((performance.now() - started) / 1000)} s\n`,
);

async function untilIdle(): Promise<void> {
  for (let i = 0; i < 300; i += 1) {
    const { agents: all } = await client.call<{ agents: { dot: string }[] }>('agents.list');
    if (all.length >= agents && all.every(({ dot }) => dot === 'idle')) return;
    await pause(1000);
  }
  throw new Error('not every agent came to rest');
}
await untilIdle();
await pause(90_000);

const points: { beats: number; ms: number }[] = [];
for (let i = 0; i < slices; i += 1) {
  const [beats, ms] = [proxy.beats(), cpuMs(pid)];
  await pause(sliceMs);
  points.push({ beats: proxy.beats() - beats, ms: cpuMs(pid) - ms });
}
const pssAfter = pssKiB(pid);

/** Least squares; the intercept is a slice without heartbeats. */
function line(all: readonly { beats: number; ms: number }[]): { perBeatMs: number; atRestMs: number } {
  const meanBeats = all.reduce((sum, { beats }) => sum + beats, 0) / all.length;
  const meanMs = all.reduce((sum, { ms }) => sum + ms, 0) / all.length;
  const spread = all.reduce((sum, { beats }) => sum + (beats - meanBeats) ** 2, 0);
  const joint = all.reduce((sum, { beats, ms }) => sum + (beats - meanBeats) * (ms - meanMs), 0);
  const perBeatMs = spread > 0 ? Math.max(0, joint / spread) : 0;
  return { perBeatMs, atRestMs: Math.max(0, meanMs - perBeatMs * meanBeats) };
}
const fit = line(points);
const connections = proxy.connections();
const totalMs = points.reduce((sum, { ms }) => sum + ms, 0);
client.close();
host.kill('SIGTERM');
await new Promise((resolve) => host.once('exit', resolve));
relay.kill('SIGTERM');
proxy.close();
rmSync(home, { recursive: true, force: true });

const perAgent = (pssAfter - pssBefore) / agents;
report([
  {
    name: 'PSS per idle agent, KiB / 64 KiB',
    ratio: perAgent / 64,
    goal: 1,
    better: 'lower',
    figures: { agents, kiBPerAgent: perAgent, pssBeforeKiB: pssBefore, pssAfterKiB: pssAfter, connections },
  },
  {
    name: `CPU of ${agents} idle agents without heartbeats, % of a core / 0.5`,
    ratio: ((fit.atRestMs / sliceMs) * 100) / 0.5,
    goal: 1,
    better: 'lower',
    figures: {
      percentAtRest: (fit.atRestMs / sliceMs) * 100,
      percentWithHeartbeats: (totalMs / (slices * sliceMs)) * 100,
      msPerHeartbeat: fit.perBeatMs,
      heartbeats: points.reduce((sum, { beats }) => sum + beats, 0),
    },
  },
]);
