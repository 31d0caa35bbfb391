/**
 * Peak memory of a host whose agents answer encrypted messages without a break: the demo with its relay, ten
 * messages at a time. `KENNEL_BENCH_TURNS` sets the number of turns.
 */
import { readFileSync, rmSync } from 'node:fs';
import { type HostSocket, untilAnswering } from '../lib/host-socket.ts';
import { kennelEntry, pause, report, startNode, temporaryHome } from '../lib/measure.ts';

const turns = Number(process.env.KENNEL_BENCH_TURNS ?? 1_000);
const atOnce = 10;
const goalKiB = 180_000;
const answerWaitMs = 120_000;

const home = temporaryHome();
const child = startNode([kennelEntry, 'start', '--no-demo', '--no-web'], { KENNEL_HOME: home });

/** KiB from `/proc`. Linux only. */
function statusKiB(field: 'VmHWM' | 'VmRSS'): number {
  const text = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}

interface History {
  readonly messages: readonly { readonly own: boolean; readonly threadRootId: string | null }[];
}

async function wave(client: HostSocket, room: string, from: number): Promise<void> {
  const ids = new Set<string>();
  for (let n = from; n < from + atOnce; n += 1) {
    const text = `echo answer number ${n}`;
    const { messageId } = await client.call<{ messageId: string }>('chat.send', { to: 'guide', text });
    ids.add(messageId);
  }
  const deadline = performance.now() + answerWaitMs;
  while (ids.size > 0) {
    if (performance.now() > deadline) throw new Error(`${ids.size} messages were not answered`);
    const { messages } = await client.call<History>('chat.history', { room, limit: 50 });
    for (const { own, threadRootId } of messages) if (!own && threadRootId !== null) ids.delete(threadRootId);
    if (ids.size > 0) await pause(20);
  }
}

const { client } = await untilAnswering(home);
await client.call('setup.tryDemo');
const { agents } = await client.call<{ agents: { id: string; slug: string }[] }>('agents.list');
const room = `dm:${agents.find(({ id }) => id === 'guide')?.slug ?? ''}`;
const startKiB = statusKiB('VmRSS');
const started = performance.now();
for (let n = 0; n < turns; n += atOnce) await wave(client, room, n);
const seconds = (performance.now() - started) / 1000;
const figures = {
  turns,
  turnsPerSecond: turns / seconds,
  startKiB,
  endKiB: statusKiB('VmRSS'),
  peakKiB: statusKiB('VmHWM'),
};
client.close();
child.kill('SIGTERM');
await new Promise((resolve) => child.once('exit', resolve));
rmSync(home, { recursive: true, force: true });

report([
  {
    name: `peak memory of a host during ${turns} encrypted turns / 180 MB`,
    ratio: figures.peakKiB / goalKiB,
    goal: 1,
    better: 'lower',
    figures,
  },
]);
