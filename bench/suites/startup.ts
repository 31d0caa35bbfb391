/** Start-up time of the command line against an empty Node program (performance goals P13, P14). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { untilAnswering } from '../lib/host-socket.ts';
import {
  type BenchRow,
  kennelEntry,
  median,
  report,
  startNode,
  temporaryHome,
  timeNode,
} from '../lib/measure.ts';

const home = temporaryHome();
const env = { KENNEL_HOME: home, KENNEL_PASSPHRASE: 'bench', KENNEL_NO_WATCHDOG: '' };
const empty = path.join(home, 'empty.mjs');
writeFileSync(empty, '');

function scaffold(folder: string, agents: number): void {
  for (let i = 0; i < agents; i += 1) {
    const agent = path.join(folder, 'agents', `agent-${i}`);
    mkdirSync(agent, { recursive: true });
    writeFileSync(
      path.join(agent, 'agent.yml'),
      `id: agent-${i}\nstate: running\ndisplay_name: Agent ${i}\n`,
    );
    writeFileSync(path.join(agent, 'profile.md'), '# Soul\n\nBe kind.\n');
  }
}

/** ms from spawn until the host answers `host.view` on its socket. */
async function hostReady(agents: number): Promise<number> {
  const folder = temporaryHome();
  scaffold(folder, agents);
  const started = performance.now();
  const child = startNode([kennelEntry, 'start', '--no-demo'], { ...env, KENNEL_HOME: folder });
  const { client } = await untilAnswering(folder);
  const ms = performance.now() - started;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  await client.call('host.stop');
  client.close();
  await gone;
  rmSync(folder, { recursive: true, force: true });
  return ms;
}

const host = startNode([kennelEntry, 'start', '--no-demo'], env);
const { client } = await untilAnswering(home);
const bare: number[] = [];
const version: number[] = [];
const status: number[] = [];
for (let round = 0; round < 25; round += 1) {
  bare.push(timeNode([empty]));
  version.push(timeNode([kennelEntry, '--version'], env));
  status.push(timeNode([kennelEntry, 'status'], env));
}
await client.call('host.stop');
client.close();
await new Promise((resolve) => host.once('exit', resolve));

const ready0: number[] = [];
const ready1000: number[] = [];
for (let round = 0; round < 5; round += 1) {
  bare.push(timeNode([empty]));
  ready0.push(await hostReady(0));
  ready1000.push(await hostReady(1000));
}
rmSync(home, { recursive: true, force: true });

const base = median(bare);
const row = (name: string, values: readonly number[], goal: number): BenchRow => ({
  name,
  ratio: median(values) / base,
  goal,
  better: 'lower',
  figures: { bareNodeMs: base, ms: median(values), runs: values.length },
});
report([
  row('kennel --version / bare node', version, 1.6),
  row('kennel status / bare node', status, 2.5),
  row('host answers, 0 agents / bare node', ready0, 4),
  row('host answers, 1,000 agents / bare node', ready1000, 15),
]);
