/** Durable timers: due times in the journal, on the wall clock, checked on every drive. */
import { say } from '../../../language/say.ts';
import type { Step } from '../file/definition.ts';
import { parseMoment } from '../file/moment.ts';
import { renderTemplate } from '../file/template.ts';
import { type RunContext, type StepFrame, scopeOf, stepFailure, type Walked } from './run-context.ts';

/** Due time in ms, or `null` if already due. The first call starts the timer. */
export function dueIn(run: RunContext, path: string, dueAt: () => number): number | null {
  const { log, ports } = run;
  const known = log.state.timers.get(path);
  const due = known ?? dueAt();
  if (known === undefined) log.write([{ type: 'timer_set', path, dueAt: due }]);
  return ports.clock.now() >= due ? null : due;
}

export function doSleep(
  run: RunContext,
  frame: StepFrame,
  step: Extract<Step, { kind: 'sleep' }>,
  place: string,
): Walked {
  const { log, ports } = run;
  const before = log.state.steps.get(place);
  if (before?.ended) return { type: 'done', result: log.result(before) };
  const { until } = step;
  let at: number | null = null;
  if (until.kind === 'time' && !log.state.timers.has(place)) {
    const text = renderTemplate(until.at, scopeOf(frame)).trim();
    at = parseMoment(text);
    if (at === null) {
      const message = say('workflows.stepWaitsForText', { step: step.id, text });
      log.write([{ type: 'step_failed', path: place, code: 'failed', message, retryAt: null }]);
      return stepFailure(message);
    }
  }
  const dueAt = (): number => at ?? ports.clock.now() + (until.kind === 'for' ? until.ms : 0);
  const waits = dueIn(run, place, dueAt);
  if (waits !== null) return { type: 'parked', wakeAt: waits };
  return { type: 'done', result: log.end(place, {}) };
}
