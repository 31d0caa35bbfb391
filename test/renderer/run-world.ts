/** A world with workflow files and runs, and shared helpers of its page tests. */
import type { FakeHost, World } from './fake-host.ts';
import {
  brokenText,
  gate,
  gateQuestion,
  releaseText,
  run,
  runId,
  runsFolder,
  waitingSteps,
} from './run-data.ts';

export const release = `${runsFolder}/release.puppy`;

const fill = (host: FakeHost): void => {
  host.runs.files[release] = releaseText;
  host.runs.files[`${runsFolder}/broken.puppy`] = brokenText;
  host.runs.show(run('run-old'));
  host.runs.show(run('run-bad', { status: 'failed', message: 'Step "test" ended with 1.', name: 'Nightly' }));
  host.runs.show(
    run(runId, { status: 'waiting', endedAt: null, gates: ['gate_1'], stepsDone: 4, costUsd: 0.012 }),
    waitingSteps(),
    [gate('gate_1')],
  );
  host.runs.ask(gateQuestion(gate('gate_1')));
};
/** Files, runs in every state, and one that waits at a gate. */
export const world: World = { fill };
export const at = (place: string): string => `#/work/${encodeURIComponent(place)}`;
