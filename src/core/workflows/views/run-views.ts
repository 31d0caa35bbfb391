/** Views of a run; the contract documents each field. */
import type { RunFork, RunGate, RunStep, RunSummary } from '../../../contract/workflow-methods.ts';
import { cutCodePoints, lastPathPart } from '../../lib/text.ts';
import type { RunRow } from '../engine/engine-ports.ts';
import type { ForkOrigin, GateContent } from '../engine/events.ts';
import {
  type GateState,
  isFinished,
  openGatesOf,
  type RunState,
  type StepFold,
} from '../engine/run-state.ts';
import type { Json, StepResult } from '../file/definition.ts';
import { stringifyExact } from '../pipeline/exact-json.ts';
import type { LiveRun } from './live-runs.ts';
import type { StepTimes } from './step-spans.ts';

/** Code points of an output in the list of steps. */
const shownOutput = 2_000;

export const jsonOrEmpty = (json: Json | undefined): string =>
  json === undefined ? '' : stringifyExact(json);
const given = (json: Json): string => (json === null ? '' : jsonOrEmpty(json));

export const outputText = ({ json, stdout, response }: StepResult): string =>
  stdout ?? (json !== undefined ? jsonOrEmpty(json) : jsonOrEmpty(response));

/** A run's title: the workflow's name, else the file's. */
export const runTitle = (name: string | null, file: string | null): string =>
  name || (file ? lastPathPart(file) : 'pipeline');

export function viewSummary(row: RunRow, live: LiveRun, name: string): RunSummary {
  const { state } = live;
  const steps = [...state.steps.values()];
  const file = state.origin?.file ?? '';
  return {
    id: row.id,
    name: runTitle(name, file),
    file,
    definition: row.definition,
    status: row.status,
    message: state.message ?? '',
    initiatedBy: state.initiatedBy ?? '',
    createdAt: row.createdAt,
    endedAt: isFinished(row.status) ? live.lastAt : null,
    archivedAt: row.archivedAt ?? null,
    wakeAt: isFinished(row.status) ? null : row.wakeAt,
    stepsDone: steps.filter(({ ended }) => ended !== null).length,
    running: steps.filter(({ open }) => open).map(({ path }) => path),
    gates: openGatesOf(state).map(({ id }) => id),
    costUsd: state.costUsd,
    simulatedUsd: state.simulatedUsd,
    unpriced: state.unpriced,
  };
}

type StepLook = RunStep['state'];

function lookOf(step: StepFold | undefined, gates: readonly GateState[], over: boolean): StepLook {
  if (step?.skipped) return 'skipped';
  if (step?.open) return 'running';
  if (step?.failed) return 'failed';
  if (step?.uncertain) return 'uncertain';
  if (gates.some(({ decision }) => decision === null)) return 'waiting';
  if (step && step.retryAt !== null) return 'retrying';
  if (step?.ended || gates.some(({ decision }) => decision !== 'withdrawn')) return 'done';
  return over ? 'skipped' : step && step.halts.length === 0 ? 'running' : 'waiting';
}

export interface StepTexts {
  /** Result of an ended step, or `null` if it is no longer stored. */
  result(step: StepFold): StepResult | null;
  /** Task of an `agent` step. */
  task(step: StepFold): number | null;
}

function viewStep(live: LiveRun, path: string, texts: StepTexts): RunStep {
  const { state, times } = live;
  const step = state.steps.get(path);
  const gates = [...state.gates.values()].filter((gate) => gate.path === path);
  const look = lookOf(step, gates, isFinished(state.status));
  const left = step?.ended ? texts.result(step) : null;
  const whole = left ? outputText(left) : '';
  const output = cutCodePoints(whole, shownOutput);
  const time = times.get(path);
  const settled = look === 'done' || look === 'failed' || look === 'skipped';
  return {
    path,
    state: look,
    attempts: step?.attempts ?? 0,
    effect: step?.effect ?? 'pure',
    startedAt: time?.first ?? step?.startedAt ?? 0,
    endedAt: settled ? (time?.last ?? null) : null,
    output,
    cut: output.length < whole.length,
    error: step?.failed?.message ?? left?.errorMessage ?? '',
    retryAt: step?.retryAt ?? null,
    task: step ? texts.task(step) : null,
    taken: step?.taken ?? false,
    ...viewTimes(live.spans.of(path)),
  };
}

const viewTimes = ({ spans, waited }: StepTimes): Pick<RunStep, 'spans' | 'waited'> => ({
  spans: [...spans],
  waited,
});

/** By path, in order of start. */
export function viewSteps(live: LiveRun, texts: StepTexts): Record<string, RunStep> {
  // After a fork, steps behind a changed decision are not part of the run.
  const asked = new Set([...live.state.gates.values()].map(({ path }) => path));
  const isPart = (path: string): boolean =>
    live.state.steps.has(path) || live.state.timers.has(path) || asked.has(path);
  const paths = [...live.times.keys()].filter((path) => path !== '' && isPart(path));
  return Object.fromEntries(paths.map((path) => [path, viewStep(live, path, texts)]));
}

export const viewContent = (content: GateContent) => ({
  kind: content.kind,
  prompt: content.question ?? content.prompt,
  items: content.items.map((item) => jsonOrEmpty(item)),
  preview: content.preview ?? '',
  schemaJson: given(content.schema),
  defaultsJson: given(content.defaults),
  subjectJson: given(content.subject),
  named: [...content.approvers.named],
  needed: content.approvers.needed,
  notInitiator: content.approvers.notInitiator,
});

function viewGate(live: LiveRun, gate: GateState, shortId: ShortIds): RunGate {
  const short = gate.decision === null ? shortId(gate.id) : null;
  const decided = gate.decision !== null;
  return {
    ...viewContent(gate.content),
    id: gate.id,
    path: gate.path,
    votes: gate.votes.map((vote) => vote ?? ''),
    contentHash: gate.contentHash,
    ...(short === null ? {} : { shortId: short }),
    expiresAt: gate.expiresAt,
    decision: gate.decision,
    decidedBy: gate.by ?? '',
    reason: gate.reason,
    decidedAt: decided ? (live.decided.get(gate.id) ?? null) : null,
    responseJson: decided ? given(gate.response) : '',
  };
}

/** `null` if it is no longer known. */
export type ShortIds = (gate: string) => string | null;

export const viewGates = (live: LiveRun, shortId: ShortIds): Record<string, RunGate> =>
  Object.fromEntries([...live.state.gates.values()].map((gate) => [gate.id, viewGate(live, gate, shortId)]));

const viewFork = ({ run, from, by }: ForkOrigin): RunFork => ({ run, from, by: by ?? '' });

export const viewForks = ({ forkedFrom, forks }: RunState) => ({
  forkedFrom: forkedFrom && viewFork(forkedFrom),
  forks: forks.map(viewFork),
});
