/**
 * Added time of the sandbox: ms of a command in a session of the executor `sandbox`, and of the same command in a session
 * without a wall, one after the other. The ratio is the difference of the medians divided by 60 ms.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fail } from '../../src/contract/fail.ts';
import { err } from '../../src/contract/result.ts';
import { type ExecutorKind, executorOptionsSchema } from '../../src/core/executors/executor-ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createExecutors } from '../../src/services/executors/create-executors.ts';
import { createProcessPort } from '../../src/services/executors/process.ts';
import { loadNote, median, report } from '../lib/measure.ts';

const goalMs = 60;
const rounds = 60;
const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'kennel-bench-')));
const workspace = path.join(home, 'work');
mkdirSync(workspace);
const executors = createExecutors({
  process: createProcessPort({ clock: createSystemClock() }),
  engine: async () => err(fail('unavailable', 'container.noEngine')),
  places: { folder: home, owner: home, env: process.env },
  image: '',
  mayRunPlain: true,
});

async function openSession(kind: ExecutorKind) {
  const options = executorOptionsSchema().parse({});
  const ask = async (): Promise<boolean> => false;
  const opened = await executors[kind].open({ conversationId: kind, workspace, options, ask });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

const plain = await openSession('subprocess');
const walled = await openSession('sandbox');
const times = { plain: [] as number[], walled: [] as number[] };
for (let round = 0; round < rounds; round += 1)
  for (const [name, session] of [
    ['plain', plain],
    ['walled', walled],
  ] as const) {
    const started = performance.now();
    const ran = await session.run({ command: 'true' });
    if (!ran.ok || ran.value.exitCode !== 0) throw new Error('the command failed');
    times[name].push(performance.now() - started);
  }
await plain.close();
await walled.close();
rmSync(home, { recursive: true, force: true });
const [plainMs, walledMs] = [median(times.plain), median(times.walled)];
report([
  {
    name: 'command in the sandbox, added to a command without a wall / 60 ms',
    ratio: (walledMs - plainMs) / goalMs,
    goal: 1,
    better: 'lower',
    figures: { plainMs, walledMs },
    note: loadNote(),
  },
]);
