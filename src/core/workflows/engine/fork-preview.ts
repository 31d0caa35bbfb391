/** Previews a fork: from which steps it can start, and what it asks and does again. */
import { messageOf } from '../../../contract/errors.ts';
import { ok, type Result } from '../../../contract/result.ts';
import type { RunAgain, RunPlaces } from '../../../contract/workflow-methods.ts';
import type { EnginePorts } from './engine-ports.ts';
import { planning } from './fork.ts';
import type { ForkPlanner } from './fork-plan.ts';

/** Caps the shown lists: a loop may have thousands of paths. */
const mostPaths = 50;
const mostPlaces = 200;

const some = (paths: readonly string[]): RunAgain['once'] => ({
  paths: paths.slice(0, mostPaths),
  all: paths.length,
});

function placeOf(planner: ForkPlanner, from: string): RunAgain {
  const plan = planner.plan(from);
  if (!plan.ok)
    return {
      from,
      refusal: messageOf(plan.error),
      nearest: plan.nearest ?? '',
      asked: some([]),
      once: some([]),
    };
  const { asked, once } = plan.value;
  return { from, refusal: '', nearest: '', asked: some(asked), once: some(once) };
}

/** `from`: `null` for all steps that the run reached. */
export function forkPlaces(ports: EnginePorts, run: string, from: string | null): Result<RunPlaces> {
  return planning(ports, run, ({ planner }) => {
    const { places, more } = from === null ? planner.places(mostPlaces) : { places: [from], more: 0 };
    return ok({ places: places.map((place) => placeOf(planner, place)), more });
  });
}
