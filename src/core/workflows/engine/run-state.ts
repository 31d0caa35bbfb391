/**
 * State of a run: a pure fold over its events. Driving, resuming, showing and retrying all read this state,
 * by step path, never by index.
 */
import type { HostText } from '../../../language/host-message.ts';
import { assertNever } from '../../lib/assert.ts';
import type { EffectClass, Json } from '../file/definition.ts';
import type {
  Continuation,
  EventRow,
  FailureCode,
  ForkOrigin,
  GateContent,
  Person,
  ResultPlace,
  RunEvent,
  RunOrigin,
  RunStatus,
  StepProcess,
  TakenStep,
  WorkflowGateDecision,
} from './events.ts';
import { addCost, type RunCost } from './step-cost.ts';

export interface StepFold {
  readonly path: string;
  attempts: number;
  /** Number of failures since they were last cleared. */
  failures: number;
  /** Started, without a recorded end. */
  open: boolean;
  /** Start of the first attempt, in ms since the epoch. */
  startedAt: number;
  effect: EffectClass;
  key: string;
  process: StepProcess | null;
  ended: ResultPlace | null;
  failed: { readonly code: FailureCode; readonly message: HostText } | null;
  /** Earliest retry, in ms since the epoch; `null` for at once. */
  retryAt: number | null;
  skipped: boolean;
  /** Copied from the run that this one was forked from. */
  taken: boolean;
  /** How often the program died during this step. */
  deaths: number;
  /**
   * An interrupted step of class `once`, or one that already cost too much, until a person records its
   * outcome.
   */
  uncertain: boolean;
  /** Questions at which its pipeline halted, in order. */
  readonly halts: { readonly next: Continuation; readonly asks: GateContent }[];
}

export interface GateState {
  readonly id: string;
  readonly path: string;
  readonly slot: string;
  readonly content: GateContent;
  readonly contentHash: string;
  readonly expiresAt: number | null;
  readonly remindAt: number | null;
  reminded: boolean;
  readonly votes: Person[];
  /** One of the votes is the operator's. */
  ownerAgreed: boolean;
  decision: WorkflowGateDecision | 'withdrawn' | null;
  by: Person;
  response: Json;
  /** Reason of a rejection; empty if none was given. */
  reason: string;
}

export interface RunState extends RunCost {
  readonly id: string;
  status: RunStatus;
  message: HostText | null;
  output: ResultPlace | null;
  definition: string;
  children: { readonly [key: string]: string };
  args: { readonly [name: string]: Json };
  initiatedBy: Person;
  /** `null` if the initiator gave none. */
  origin: RunOrigin | null;
  /** `null` if this run is no fork. */
  forkedFrom: ForkOrigin | null;
  readonly forks: ForkOrigin[];
  readonly steps: Map<string, StepFold>;
  readonly gates: Map<string, GateState>;
  /** By `gateKey(path, slot)`. */
  readonly gateAt: Map<string, GateState>;
  /** Due times by path, in ms since the epoch. */
  readonly timers: Map<string, number>;
  /** Deadlines of blocks by path, in ms since the epoch. */
  readonly deadlines: Map<string, number>;
  cancelRequested: boolean;
  cancelledBy: Person;
  costWarned: boolean;
  /** ms in which at least one step ran; waiting for people and timers does not count. */
  activeMs: number;
  runningSteps: number;
  activeSince: number;
  last: EventRow | null;
}

export const gateKey = (path: string, slot: string): string => `${path} ${slot}`;

/** Whether one path lies below another: in its branch, round, reject branch or sub-workflow. */
export const isBelowStep = (path: string, parent: string): boolean =>
  path.startsWith(parent) && ['.', '[', '/'].includes(path.charAt(parent.length));

export function emptyRun(id: string): RunState {
  return {
    id,
    status: 'running',
    message: null,
    output: null,
    definition: '',
    children: {},
    args: {},
    initiatedBy: null,
    origin: null,
    forkedFrom: null,
    forks: [],
    steps: new Map(),
    gates: new Map(),
    gateAt: new Map(),
    timers: new Map(),
    deadlines: new Map(),
    cancelRequested: false,
    cancelledBy: null,
    costUsd: 0,
    simulatedUsd: 0,
    unpriced: 0,
    costWarned: false,
    activeMs: 0,
    runningSteps: 0,
    activeSince: 0,
    last: null,
  };
}

export function foldRun(id: string, rows: readonly EventRow[]): RunState {
  const state = emptyRun(id);
  for (const row of rows) applyRow(state, row);
  return state;
}

/** Adds a row, which must follow the last one. */
export function applyRow(state: RunState, row: EventRow): void {
  state.last = row;
  applyEvent(state, row.event, row.at);
}

/** Applies an event that is not a row yet. */
export function applyEvent(state: RunState, event: RunEvent, at: number): void {
  if (event.type.startsWith('step_')) applyStep(state, event, at);
  else if (event.type.startsWith('gate_')) applyGate(state, event);
  else applyRun(state, event, at);
}

function applyRun(state: RunState, event: RunEvent, at: number): void {
  switch (event.type) {
    case 'run_created':
      state.definition = event.definition;
      state.children = event.children;
      state.args = event.args;
      state.initiatedBy = event.initiatedBy;
      state.origin = event.origin ?? null;
      if (event.forkedFrom) takeOver(state, event.forkedFrom, at);
      return;
    case 'run_forked':
      state.forks.push({ run: event.run, from: event.from, by: event.by });
      return;
    case 'block_entered':
      stepAt(state, event.path, at);
      if (event.deadline !== null) state.deadlines.set(event.path, event.deadline);
      return;
    case 'timer_set':
      state.timers.set(event.path, event.dueAt);
      return;
    case 'cancel_requested':
      state.cancelRequested = true;
      state.cancelledBy = event.by;
      return;
    case 'cost_warned':
      state.costWarned = true;
      return;
    case 'failures_cleared':
      clearFailures(state, event.path);
      return;
    case 'run_finished':
      state.status = event.status;
      state.message = event.message;
      state.output = event.output;
  }
}

function takeOver(
  state: RunState,
  { taken, ...origin }: ForkOrigin & { readonly taken: readonly TakenStep[] },
  at: number,
): void {
  state.forkedFrom = origin;
  for (const { path, effect, left } of taken) {
    const step = stepAt(state, path, at);
    step.taken = true;
    step.effect = effect;
    step.skipped = left === 'skipped';
    if (left !== 'skipped' && 'ended' in left) step.ended = left.ended;
    if (left !== 'skipped' && 'failed' in left) step.failed = left.failed;
    // The pauses of a loop before its finished rounds are over, too.
    for (const round of path.matchAll(/\]/g)) state.timers.set(path.slice(0, round.index + 1), at);
  }
}

/**
 * Clears failures so that a failed run resumes (`path`: `null`), or that a failed block runs its failed steps
 * again and keeps its own failure count. Finished steps and answers stay.
 */
function clearFailures(state: RunState, path: string | null): void {
  const own = path === null ? undefined : state.steps.get(path);
  if (own && path !== null) {
    own.retryAt = null;
    state.deadlines.delete(path);
  }
  if (path === null) {
    state.status = 'running';
    state.message = null;
    state.activeMs = 0;
  }
  const concerned = (at: string): boolean => path === null || isBelowStep(at, path);
  for (const step of [...state.steps.values()].filter((one) => concerned(one.path))) {
    if (step.failed) askAnew(state, step.path);
    if (step.failed) clearStep(state, step);
  }
  for (const [key, gate] of state.gateAt) {
    if (concerned(gate.path) && gate.decision === 'withdrawn') state.gateAt.delete(key);
  }
}

/** A block restarts with a new time limit; an effect keeps its number of attempts and its key. */
function clearStep(state: RunState, step: StepFold): void {
  step.failed = null;
  step.failures = 0;
  step.retryAt = null;
  if (step.attempts === 0 && !step.ended) state.steps.delete(step.path);
  state.deadlines.delete(step.path);
}

/** Reopens a rejected or expired question, and clears the branch that ran after it. */
function askAnew(state: RunState, path: string): void {
  for (const [key, gate] of state.gateAt) {
    if (gate.path !== path || (gate.decision !== 'timeout' && gate.decision !== 'reject')) continue;
    state.gateAt.delete(key);
    const branches = [`${path}.on_reject`, `${path}.on_timeout`];
    for (const below of [...state.steps.keys()]) {
      if (branches.some((branch) => isBelowStep(below, branch))) state.steps.delete(below);
    }
  }
}

const begun = (path: string, at: number): StepFold => ({
  path,
  attempts: 0,
  failures: 0,
  open: false,
  startedAt: at,
  effect: 'pure',
  key: '',
  process: null,
  ended: null,
  failed: null,
  retryAt: null,
  skipped: false,
  taken: false,
  deaths: 0,
  uncertain: false,
  halts: [],
});

function stepAt(state: RunState, path: string, at: number): StepFold {
  const step = state.steps.get(path) ?? begun(path, at);
  state.steps.set(path, step);
  return step;
}

function opened(state: RunState, step: StepFold, at: number): void {
  if (state.runningSteps === 0) state.activeSince = at;
  state.runningSteps += 1;
  step.open = true;
}

/**
 * `counts`: false for an interrupted step. Its last sign of life is its start, and the program may have been
 * off for hours since.
 */
function closed(state: RunState, step: StepFold, at: number, counts = true): void {
  if (!step.open) return;
  step.open = false;
  state.runningSteps -= 1;
  if (state.runningSteps > 0) return;
  if (counts) state.activeMs += Math.max(0, at - state.activeSince);
}

function applyStep(state: RunState, event: RunEvent, at: number): void {
  if (!('path' in event) || event.path === null) return;
  const step = stepAt(state, event.path, at);
  switch (event.type) {
    case 'step_started':
      step.attempts = event.attempt;
      step.effect = event.effect;
      step.key = event.key;
      step.process = null;
      step.retryAt = null;
      step.uncertain = false;
      opened(state, step, at);
      return;
    case 'step_spawned':
      step.process = event.process;
      return;
    case 'step_ended':
      step.ended = event.result;
      step.uncertain = false;
      addCost(state, event);
      closed(state, step, at);
      return;
    case 'step_failed':
      step.failures += 1;
      step.retryAt = event.retryAt;
      step.failed = event.retryAt === null ? { code: event.code, message: event.message } : null;
      addCost(state, event);
      closed(state, step, at);
      return;
    case 'step_interrupted':
      step.uncertain = step.effect === 'once' || event.asks === true;
      if (event.died) step.deaths += 1;
      step.retryAt = event.retryAt ?? null;
      closed(state, step, at, false);
      return;
    case 'step_skipped':
      step.skipped = true;
      return;
    case 'step_halted':
      step.halts.push({ next: event.next, asks: event.asks });
      closed(state, step, at);
      return;
  }
}

function applyGate(state: RunState, event: RunEvent): void {
  if (event.type === 'gate_opened') {
    const { gate: id, path, slot, content, contentHash, expiresAt, remindAt } = event;
    const open = {
      reminded: false,
      votes: [],
      ownerAgreed: false,
      decision: null,
      by: null,
      response: null,
      reason: '',
    };
    const gate: GateState = { id, path, slot, content, contentHash, expiresAt, remindAt, ...open };
    state.gates.set(id, gate);
    state.gateAt.set(gateKey(path, slot), gate);
    return;
  }
  const gate = 'gate' in event ? state.gates.get(event.gate) : undefined;
  if (!gate) return;
  switch (event.type) {
    case 'gate_reminded':
      gate.reminded = true;
      return;
    case 'gate_voted':
      gate.votes.push(event.by);
      gate.ownerAgreed ||= event.owner === true;
      return;
    case 'gate_decided':
      gate.decision = event.decision;
      gate.by = event.by;
      gate.response = event.response ?? null;
      gate.reason = event.reason ?? '';
      if (event.decision !== 'reject') leaveNo(state, gate.path);
      return;
    case 'gate_withdrawn':
      gate.decision = 'withdrawn';
  }
}

/** Removes copied steps of the reject branch after an approval. */
function leaveNo(state: RunState, path: string): void {
  for (const step of [...state.steps.values()])
    if (step.taken && isBelowStep(step.path, `${path}.on_reject`)) state.steps.delete(step.path);
}

export const openGatesOf = (state: RunState): readonly GateState[] =>
  [...state.gates.values()].filter((gate) => gate.decision === null);

export const isFinished = (status: RunStatus): boolean => {
  switch (status) {
    case 'ok':
    case 'failed':
    case 'cancelled':
      return true;
    case 'running':
    case 'waiting':
      return false;
    default:
      return assertNever(status);
  }
};
