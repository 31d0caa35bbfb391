/**
 * Plans what a fork copies, asks again and runs again. It starts from the state before its starting step:
 * earlier steps are copied, parallel branches as far as they had passed, and later steps run anew. If a copy
 * would use an answer of the other run, the plan fails and names the nearest possible start.
 */
import { type AppError, appError, type ErrorCode } from '../../../contract/errors.ts';
import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import type { Outcome, Step, WorkflowDefinition } from '../file/definition.ts';
import { childrenOf } from '../file/step-kinds.ts';
import { childKey, type TakenStep } from './events.ts';
import { placeInRun, type StepFrame } from './run-context.ts';
import { type GateState, isBelowStep, type RunState, type StepFold } from './run-state.ts';

export interface PastRun {
  readonly state: RunState;
  readonly definition: WorkflowDefinition;
  /** Sub-workflow by hash. */
  child(hash: string): WorkflowDefinition;
}

export interface ForkPlan {
  readonly taken: readonly TakenStep[];
  /** Questions before the start, by path: they are asked again. */
  readonly asked: readonly string[];
  /** Started steps of class `once` that would run again if the fork reaches them. */
  readonly once: readonly string[];
}

export type Planned =
  | { readonly ok: true; readonly value: ForkPlan }
  /** `nearest`: the closest possible start at or before this one; `null` if none exists. */
  | { readonly ok: false; readonly error: AppError; readonly nearest: string | null };

export interface ForkPlanner {
  /** `from`: `null` for the beginning. */
  plan(from: string | null): Planned;
  /** At most `most` steps that the run reached, in the order of the file. */
  places(most: number): { readonly places: readonly string[]; readonly more: number };
}

interface Part {
  readonly taken: readonly TakenStep[];
  readonly asked: readonly string[];
}

/** Obstacle to a copy, and the path where it occurs. */
interface Blocked {
  readonly at: string;
  readonly code: ErrorCode;
  readonly message: HostMessage;
}

type Found = { readonly ok: true; readonly part: Part } | { readonly ok: false; readonly blocked: Blocked };

/** Location of a list of steps in the run. */
type Spot = Pick<StepFrame, 'prefix' | 'indexes' | 'definitionHash'>;

const nothing: Part = { taken: [], asked: [] };
const found = (part: Part): Found => ({ ok: true, part });
const block = (at: string, message: HostMessage, code: ErrorCode = 'conflict'): Found => ({
  ok: false,
  blocked: { at, code, message },
});

const joined = (parts: readonly Part[]): Part => ({
  taken: parts.flatMap(({ taken }) => taken),
  asked: parts.flatMap(({ asked }) => asked),
});

/** Merges the parts, or returns the first obstacle. */
function all<T>(list: readonly T[], look: (one: T) => Found): Found {
  const parts: Part[] = [];
  for (const one of list) {
    const seen = look(one);
    if (!seen.ok) return seen;
    parts.push(seen.part);
  }
  return found(joined(parts));
}

/** Enclosing paths, innermost first: `loop[3].send` lies in `loop[3]` and in `loop`. */
function around(place: string): readonly string[] {
  return [...place.matchAll(/[.[/]/g)].map(({ index }) => place.slice(0, index)).reverse();
}

/** `null` if nothing of the step can be copied. */
function takenOf({ path, effect, ended, failed, skipped }: StepFold): TakenStep | null {
  if (skipped) return { path, effect, left: 'skipped' };
  if (ended) return { path, effect, left: { ended } };
  return failed ? { path, effect, left: { failed } } : null;
}

const ends = ({ then }: Outcome): boolean => then !== 'continue';

/** Whether approval was the only answer with which the run could continue past this gate. */
function onlyYes({ approval }: Step, { slot, decision }: GateState): boolean {
  if (approval === null || slot !== 'approval' || decision !== 'approve') return false;
  return ends(approval.onReject) && ends(approval.onTimeout);
}

const dependsOnAnswer = (place: string): Found =>
  block(place, say('workflows.dependsOnAnswer', { step: place }));

const neverCame = (from: string): Found =>
  block(from, say('workflows.stepNotReached', { step: from }), 'not_found');

const notPast = (place: string): Found => block(place, say('workflows.stepNotPassed', { step: place }));

class Planner implements ForkPlanner {
  readonly #past: PastRun;
  /** Gates by path. `uncertain` gates are left out: their answer is a fact, not a permission. */
  readonly #gates = new Map<string, GateState[]>();
  /** Paths that asked a question (`#asking`) or started (`#begun`), with all paths that enclose them. */
  readonly #asking = new Set<string>();
  readonly #begun = new Set<string>();
  /** Started steps of class `once`, with the paths that enclose them. */
  readonly #once: readonly { readonly path: string; readonly outer: readonly string[] }[];

  constructor(past: PastRun) {
    this.#past = past;
    for (const gate of past.state.gateAt.values()) {
      this.#begin(gate.path);
      if (gate.content.kind === 'uncertain') continue;
      this.#gates.set(gate.path, [...(this.#gates.get(gate.path) ?? []), gate]);
      for (const outer of around(gate.path)) this.#asking.add(outer);
    }
    for (const place of past.state.steps.keys()) this.#begin(place);
    this.#once = [...past.state.steps.values()]
      .filter(({ effect, attempts, taken }) => effect === 'once' && (attempts > 0 || taken))
      .map(({ path }) => ({ path, outer: around(path) }));
  }

  plan(from: string | null): Planned {
    const planned = this.#planned(from);
    if (planned.ok) return { ok: true, value: planned.plan };
    const { at, code, message } = planned.blocked;
    const nearest = [at, ...around(at)].find((place) => this.#planned(place).ok) ?? null;
    const hint =
      nearest === null
        ? say('workflows.runAgainFromStart')
        : say('workflows.runAgainFrom', { step: nearest });
    return { ok: false, error: appError(code, message, { hint }), nearest };
  }

  places(most: number): { readonly places: readonly string[]; readonly more: number } {
    const places = this.#placesIn(this.#root(), this.#past.definition.steps);
    return { places: places.slice(0, most), more: Math.max(0, places.length - most) };
  }

  #begin(place: string): void {
    for (const at of [place, ...around(place)]) this.#begun.add(at);
  }

  #root(): Spot {
    return { prefix: '', indexes: [], definitionHash: this.#past.state.definition };
  }

  #step(place: string): StepFold | undefined {
    return this.#past.state.steps.get(place);
  }

  #planned(from: string | null): { ok: true; plan: ForkPlan } | { ok: false; blocked: Blocked } {
    const seen = from === null ? found(nothing) : this.#beforePlace(from);
    if (!seen.ok) return seen;
    const { taken, asked } = seen.part;
    return { ok: true, plan: { taken, asked, once: this.#onceAgain(taken, from) } };
  }

  #onceAgain(taken: readonly TakenStep[], from: string | null): readonly string[] {
    const kept = new Set(taken.map(({ path }) => path));
    const isKept = (outer: string): boolean =>
      kept.has(outer) && (from === null || !isBelowStep(from, outer));
    return this.#once
      .filter(({ path, outer }) => !kept.has(path) && !outer.some(isKept))
      .map(({ path }) => path);
  }

  /** A top-level step need not have started; the number of loop rounds is known only from the past run. */
  #beforePlace(from: string): Found {
    const { steps } = this.#past.definition;
    const known = this.#begun.has(from) || steps.some(({ path }) => path === from);
    return known ? this.#before(this.#root(), steps, from) : neverCame(from);
  }

  /** Collects what comes before `from` in this list, and inside the block that contains it. */
  #before(spot: Spot, steps: readonly Step[], from: string): Found {
    const places = steps.map((step) => placeInRun(spot, step));
    const at = places.findIndex((place) => place === from || isBelowStep(from, place));
    const [step, place] = [steps[at], places[at]];
    if (!step || place === undefined) return neverCame(from);
    const before = all(steps.slice(0, at), (one) => this.#passed(spot, one, true));
    if (!before.ok || place === from) return before;
    const inside = this.#inside(spot, step, from);
    return inside.ok ? found(joined([before.part, inside.part])) : inside;
  }

  #inside(spot: Spot, step: Step, from: string): Found {
    const place = placeInRun(spot, step);
    if (isBelowStep(from, `${place}.on_timeout`))
      return block(place, say('workflows.reachedOnTimeoutOnly', { step: from, gate: place }));
    if (isBelowStep(from, `${place}.on_reject`)) return this.#afterNo(spot, step, from);
    switch (step.kind) {
      case 'parallel': {
        if (step.wait === 'any') return this.#race(place);
        // Parallel branches come neither before nor after `from`: a branch that did not finish runs anew.
        return all(step.branches, (branch) => {
          const own = placeInRun(spot, branch);
          if (from === own || isBelowStep(from, own)) return this.#before(spot, [branch], from);
          const beside = this.#passed(spot, branch, false);
          return beside.ok ? beside : found(nothing);
        });
      }
      case 'for_each': {
        const round = Number(/^\[(\d+)\]/.exec(from.slice(place.length))?.[1]);
        const before = this.#rounds(spot, step, round);
        if (!before.ok) return before;
        const own = this.#before(inRound(spot, round), step.steps, from);
        return own.ok ? found(joined([before.part, own.part])) : own;
      }
      case 'workflow': {
        const { inner, steps } = this.#child(spot, step);
        return this.#before(inner, steps, from);
      }
      case 'llm-task': {
        const before = this.#before(spot, step.fallback, from);
        return before.ok ? found(joined([{ taken: this.#own(place), asked: [] }, before.part])) : before;
      }
      default:
        return neverCame(from);
    }
  }

  /** The question is asked again, and only another rejection leads to `from`. */
  #afterNo(spot: Spot, step: Step, from: string): Found {
    const place = placeInRun(spot, step);
    const asks = step.kind === 'input' ? step.input : step.approval;
    const gates = this.#gates.get(place) ?? [];
    if (!asks || gates.length !== 1 || gates[0]?.decision !== 'reject') return dependsOnAnswer(place);
    const before = this.#before(spot, asks.onReject.steps, from);
    if (!before.ok) return before;
    const ended = this.#step(place)?.ended ? this.#own(place) : [];
    return found(joined([{ taken: ended, asked: [place] }, before.part]));
  }

  /** `goesOn`: the steps after it in its list must have been reached. */
  #passed(spot: Spot, step: Step, goesOn: boolean): Found {
    const place = placeInRun(spot, step);
    const own = this.#step(place);
    if (own?.skipped) return found({ taken: this.#own(place), asked: [] });
    const gates = this.#gates.get(place) ?? [];
    if (!gates.every((gate) => onlyYes(step, gate))) return dependsOnAnswer(place);
    const rescued = step.kind === 'llm-task' && step.fallback.length > 0 && own?.failed;
    const failed = rescued ? null : own?.failed;
    const lost = failed?.code === 'cancelled' || failed?.code === 'budget';
    if (failed && (lost || step.onError === 'stop')) return this.#stoppedAt(spot, step);
    if (failed && goesOn && step.onError === 'skip_rest')
      return block(place, say('workflows.skippedAfterFailure', { step: place }));
    const came = own ? takenOf(own) !== null : step.kind === 'approval' && gates.length > 0;
    if (!came) return this.#stoppedAt(spot, step);
    const asked: Part = { taken: [], asked: gates.map(({ path }) => path) };
    const left =
      this.#asking.has(place) || (rescued && step.onError === 'stop')
        ? this.#within(spot, step)
        : found({ taken: this.#kept(spot, step), asked: [] });
    return left.ok ? found(joined([left.part, asked])) : left;
  }

  /** Path inside a block that the run did not pass. */
  #stoppedAt(spot: Spot, step: Step): Found {
    const place = placeInRun(spot, step);
    const entered = this.#placesBelow(spot, step).length > 0;
    const inside = entered ? this.#within(spot, step) : notPast(place);
    return inside.ok ? notPast(place) : inside;
  }

  /** A block with a question is not copied as a whole: each of its questions is asked again. */
  #within(spot: Spot, step: Step): Found {
    const place = placeInRun(spot, step);
    const each = (inner: Spot, steps: readonly Step[]): Found =>
      all(steps, (one) => this.#passed(inner, one, false));
    switch (step.kind) {
      case 'parallel':
        return step.wait === 'any' ? this.#race(place) : each(spot, step.branches);
      case 'for_each':
        return this.#rounds(spot, step, Number.POSITIVE_INFINITY);
      case 'workflow': {
        const { inner, steps } = this.#child(spot, step);
        return each(inner, steps);
      }
      case 'llm-task': {
        const rescue = each(spot, step.fallback);
        return rescue.ok ? found(joined([{ taken: this.#own(place), asked: [] }, rescue.part])) : rescue;
      }
      default:
        return notPast(place);
    }
  }

  #race(place: string): Found {
    return block(place, say('workflows.firstBranchCounts', { step: place }));
  }

  /** Started rounds before this one. */
  #rounds(spot: Spot, step: Extract<Step, { kind: 'for_each' }>, before: number): Found {
    const place = placeInRun(spot, step);
    const rounds: number[] = [];
    while (rounds.length < before && this.#begun.has(`${place}[${rounds.length}]`))
      rounds.push(rounds.length);
    return all(rounds, (round) => all(step.steps, (one) => this.#passed(inRound(spot, round), one, false)));
  }

  #child(spot: Spot, step: Extract<Step, { kind: 'workflow' }>) {
    const hash = this.#past.state.children[childKey(spot.definitionHash, step.file)] ?? '';
    const inner: Spot = { prefix: `${placeInRun(spot, step)}/`, indexes: [], definitionHash: hash };
    return { inner, steps: this.#past.child(hash).steps };
  }

  #own(place: string): readonly TakenStep[] {
    const own = this.#step(place);
    return own ? [takenOf(own) ?? []].flat() : [];
  }

  /**
   * Copies a step with the results that later steps can reference: loop rounds and sub-workflow steps are not
   * visible there.
   */
  #kept(spot: Spot, step: Step): readonly TakenStep[] {
    const seen = childrenOf(step).filter(({ branch }) => branch !== 'for_each');
    const inner = seen.flatMap(({ steps }) => steps.flatMap((one) => this.#kept(spot, one)));
    return [...this.#own(placeInRun(spot, step)), ...inner];
  }

  #placesIn(spot: Spot, steps: readonly Step[]): readonly string[] {
    return steps.flatMap((step) => {
      const place = placeInRun(spot, step);
      return this.#begun.has(place) ? [place, ...this.#placesBelow(spot, step)] : [];
    });
  }

  #placesBelow(spot: Spot, step: Step): readonly string[] {
    if (step.kind === 'workflow' && this.#past.state.children[childKey(spot.definitionHash, step.file)]) {
      const { inner, steps } = this.#child(spot, step);
      return this.#placesIn(inner, steps);
    }
    if (step.kind !== 'for_each') return childrenOf(step).flatMap(({ steps }) => this.#placesIn(spot, steps));
    const places: string[] = [];
    for (let round = 0; this.#begun.has(`${placeInRun(spot, step)}[${round}]`); round += 1)
      places.push(...this.#placesIn(inRound(spot, round), step.steps));
    return places;
  }
}

const inRound = (spot: Spot, round: number): Spot => ({ ...spot, indexes: [...spot.indexes, round] });

export const createForkPlanner = (past: PastRun): ForkPlanner => new Planner(past);
