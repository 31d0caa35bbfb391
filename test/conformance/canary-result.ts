/** Runs the canary of the host with a real program. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CanaryCheck, HarnessId } from '../../src/contract/harnesses.ts';
import { ok } from '../../src/contract/result.ts';
import { createHarnessCanaries } from '../../src/host/harnesses/harness-canaries.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { createDisk } from '../../src/services/disk/disk.ts';
import { createHarnessProcesses } from '../../src/services/executors/harness-process.ts';
import { createProcessPort } from '../../src/services/executors/process.ts';
import { detectHarness } from '../../src/services/harnesses/detect-harnesses.ts';

/** The checks that the program passes in the canary, as they are kept afterwards. */
export async function passesCanary(id: HarnessId, userPath: string): Promise<readonly CanaryCheck[]> {
  const [clock, random] = [createSystemClock(), createSystemRandom()];
  const folder = mkdtempSync(path.join(tmpdir(), 'kennel-canary-result-'));
  const ledger = { add: () => ok(undefined), settle: () => undefined };
  const processes = createHarnessProcesses({ clock, random, ledger, hidden: [] });
  const find = { process: createProcessPort({ clock }), path: userPath, env: {}, userHome: folder };
  const canaries = createHarnessCanaries({
    disk: createDisk(random),
    path: path.join(folder, 'runtimes.json'),
    clock,
    random,
    find: async (wanted) => ({
      view: await detectHarness({ ...find, platform: process.platform }, wanted),
      path: process.env.PATH ?? '',
    }),
    processes: async () => processes,
  });
  try {
    const ran = await canaries.run(id);
    return (ran.ok && canaries.of(id, ran.value.version)?.passed) || [];
  } finally {
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
