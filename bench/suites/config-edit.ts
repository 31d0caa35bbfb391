/**
 * Delay from an edit of agent.yml to the feed (performance goal P11): the ratio is the p99 in ms divided by
 * the goal in ms.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PatchOp } from '../../src/contract/patch.ts';
import { untilAnswering } from '../lib/host-socket.ts';
import { kennelEntry, median, pause, quantile, report, startNode, temporaryHome } from '../lib/measure.ts';

const home = temporaryHome();
const file = (i: number): string => path.join(home, 'agents', `agent-${i}`, 'agent.yml');
const text = (i: number, name: string): string => `id: agent-${i}\nstate: running\ndisplay_name: ${name}\n`;
const agents = 200;
for (let i = 0; i < agents; i += 1) {
  mkdirSync(path.dirname(file(i)), { recursive: true });
  writeFileSync(file(i), text(i, `Agent ${i}`));
}

const child = startNode([kennelEntry, 'start', '--no-demo'], {
  KENNEL_HOME: home,
  KENNEL_PASSPHRASE: 'bench',
});
const { client } = await untilAnswering(home);
let seen: (name: string) => void = () => {};
client.subscribe('agents', (event) => {
  if (event.type === 'patch')
    for (const op of event.ops) seen(JSON.stringify((op as PatchOp & { value?: unknown }).value ?? ''));
});
await pause(2000);

const times: number[] = [];
for (let round = 0; round < 200; round += 1) {
  const name = `Renamed-${round}`;
  const i = (round * 37) % agents;
  const noticed = new Promise<void>((resolve) => {
    seen = (value) => value.includes(name) && resolve();
  });
  const started = performance.now();
  writeFileSync(file(i), text(i, name));
  await noticed;
  times.push(performance.now() - started);
  await pause(10);
}
const gone = new Promise((resolve) => child.once('exit', resolve));
await client.call('host.stop');
client.close();
await gone;
rmSync(home, { recursive: true, force: true });

const p99 = quantile(times, 0.99);
report([
  {
    name: 'config edit noticed, p99 / 50 ms',
    ratio: p99 / 50,
    goal: 1,
    better: 'lower',
    figures: { p50Ms: median(times), p99Ms: p99, maxMs: Math.max(...times), edits: times.length, agents },
  },
]);
