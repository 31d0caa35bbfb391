/**
 * Added time of a container: ms from the call that starts a program to its first line, in a kept container of a
 * real podman and as a process of this computer. The ratio is the difference of the medians divided by 500 ms.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ok } from '../../src/contract/result.ts';
import type { HarnessWall } from '../../src/core/runtimes/harness-ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { createHarnessContainers } from '../../src/services/executors/harness-container.ts';
import { createHarnessProcesses } from '../../src/services/executors/harness-process.ts';
import { createContainerRig, testImage } from '../../test/fakes/container-rig.ts';
import { loadNote, median, report } from '../lib/measure.ts';

const goalMs = 500;
const rounds = 9;
const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'kennel-bench-')));
const rig = await createContainerRig();
const containers = createHarnessContainers({
  engine: async () => ok(rig.engine),
  folder: path.join(home, 'containers'),
  home,
});
const port = createHarnessProcesses({
  clock: createSystemClock(),
  random: createSystemRandom(),
  ledger: { add: () => ok(undefined), settle: () => undefined },
  hidden: [],
  containers,
});
const wall: HarnessWall = {
  readable: [],
  writable: [home],
  hidden: [],
  network: 'none',
  model: null,
  container: { image: testImage, memory: '256m', memoryReservation: '', hosts: [] },
};

async function firstLineMs(isInside: boolean): Promise<number> {
  const started = performance.now();
  const harness = await port.start({
    agentId: 'ada',
    argv: [isInside ? 'sh' : '/bin/sh', '-c', 'echo up; exec cat'],
    env: { PATH: '/usr/bin:/bin' },
    cwd: home,
    wall: isInside ? wall : null,
  });
  if (!harness.ok) throw new Error(harness.error.message);
  for await (const _line of harness.value.lines) break;
  const ms = performance.now() - started;
  await harness.value.end();
  return ms;
}

// The first start makes the container.
await firstLineMs(true);
const times = { host: [] as number[], inside: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  times.host.push(await firstLineMs(false));
  times.inside.push(await firstLineMs(true));
}
await port.close();
rig.remove();
rmSync(home, { recursive: true, force: true });
const [host, inside] = [median(times.host), median(times.inside)];
report([
  {
    name: 'start in a kept container, added to a start on this computer / 500 ms',
    ratio: (inside - host) / goalMs,
    goal: 1,
    better: 'lower',
    figures: { hostMs: host, insideMs: inside },
    note: loadNote(),
  },
]);
