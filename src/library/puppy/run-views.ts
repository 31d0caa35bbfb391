/** Views of runs for people: list, details, outputs of steps, and the verifiable history. */

import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { RunRow } from '../../core/workflows/engine/engine-ports.ts';
import type { EventRow, ResultPlace } from '../../core/workflows/engine/events.ts';
import { isFinished, openGatesOf, type RunState, type StepState } from '../../core/workflows/engine/fold.ts';
import { unkeep } from '../../core/workflows/engine/kept-result.ts';
import type { Json, StepResult, WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { comparedRuns, nearRun } from '../../core/workflows/near-run.ts';
import type { JsonValue } from '../../core/workflows/pipeline/exact-json.ts';
import { stringifyExact } from '../../core/workflows/pipeline/exact-json.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import type { StandaloneRuntime } from './standalone-runtime.ts';

export interface RunItem {
  readonly id: string;
  /** `interrupted`: no process drives it and no gate is open; it can be continued. */
  readonly status:
    | 'ok'
    | 'failed'
    | 'cancelled'
    | 'running'
    | 'interrupted'
    | 'waiting'
    | 'needs_approval'
    | 'needs_input';
  readonly name: string | null;
  readonly file: string | null;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly ageSeconds: number;
  readonly wakeAt: string | null;
  readonly message: string | null;
  readonly asks: readonly OpenQuestion[];
}

export interface OpenQuestion {
  readonly path: string;
  readonly kind: 'approval' | 'input' | 'uncertain';
  readonly prompt: string;
  /** For `resume --id` on this computer; empty if only a token is valid. */
  readonly approvalId: string;
  readonly token?: string;
  readonly expiresAt: string | null;
}

export interface StepView {
  readonly path: string;
  readonly state: 'running' | 'done' | 'failed' | 'skipped' | 'retrying' | 'uncertain' | 'waiting';
  readonly attempts: number;
  readonly startedAt: string;
  readonly output: string;
  readonly error: string | null;
  /** For a running `agent` step on a host: its task, and the reason for waiting. */
  readonly now?: string;
}

export interface RunDetail extends RunItem {
  readonly definition: string;
  readonly args: { readonly [name: string]: Json };
  readonly initiatedBy: string | null;
  readonly cwd: string | null;
  /** Known US dollars. */
  readonly costUsd: number;
  /** US dollars at the demo's sample prices. */
  readonly simulatedUsd: number;
  /** Tokens without a known price. */
  readonly unpriced: number;
  readonly steps: readonly StepView[];
  readonly decisions: readonly DecisionView[];
}

export interface DecisionView {
  readonly path: string;
  readonly prompt: string;
  readonly decision: string;
  readonly by: string | null;
  /** Reason of a rejection, or `null` if none was given. */
  readonly reason: string | null;
  /** Hash of exactly the content shown. */
  readonly contentHash: string;
}

export interface RunLogView {
  readonly id: string;
  readonly events: readonly EventRow[];
  /** The first event that breaks the hash chain, or `null` if the history is intact. */
  readonly brokenAt: number | null;
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
/** Rows per query when a status filter may match only old runs. */
const longStep = 500;

/** Finds a run by id or unique prefix. */
export function findRun(journal: StandaloneRuntime['journal'], name: string): Result<string> {
  if (journal.run(name)) return ok(name);
  const hits = /^[0-9a-f-]{4,36}$/.test(name) ? journal.past({ begins: name, limit: 2 }) : [];
  const [only, ...more] = hits;
  if (only && more.length === 0) return ok(only.id);
  const message = only
    ? `Several runs begin with ${name}.`
    : `There is no run ${JSON.stringify(name.slice(0, 100))}.`;
  const near = only
    ? null
    : nearRun(
        name,
        journal.past({ limit: comparedRuns }).map(({ id }) => id),
      );
  const hint = near === null ? 'puppy list shows every run.' : `Did you mean ${near}?`;
  return err(appError('not_found', message, { hint }));
}

function statusOf(row: RunRow, state: RunState, alive: (owner: string) => boolean): RunItem['status'] {
  if (isFinished(row.status)) return row.status as RunItem['status'];
  const [gate] = openGatesOf(state);
  if (row.owner !== null && alive(row.owner)) return 'running';
  if (gate && row.status === 'waiting')
    return gate.content.kind === 'input' ? 'needs_input' : 'needs_approval';
  return row.status === 'waiting' ? 'waiting' : 'interrupted';
}

function definitionName({ journal }: StandaloneRuntime, state: RunState): string | null {
  const text = journal.definition(state.definition);
  return text === null ? null : (JSON.parse(text) as WorkflowDefinition).name;
}

function itemOf(workshop: StandaloneRuntime, row: RunRow, state: RunState): RunItem {
  const { journal, owners } = workshop;
  const asks = openGatesOf(state).map(
    ({ id, path, content, expiresAt }): OpenQuestion => ({
      path,
      kind: content.kind,
      prompt: content.prompt,
      approvalId: journal.gate(id)?.shortId ?? '',
      expiresAt: timeOf(expiresAt),
    }),
  );
  return {
    id: row.id,
    status: statusOf(row, state, owners.alive),
    name: definitionName(workshop, state),
    file: state.origin?.file ?? null,
    createdAt: timeOf(row.createdAt) ?? '',
    ageSeconds: Math.max(0, Math.round((Date.now() - row.createdAt) / 1000)),
    wakeAt: isFinished(row.status) ? null : timeOf(row.wakeAt),
    message: state.message,
    asks: isFinished(row.status) ? [] : asks,
  };
}

export function listRuns(
  workshop: StandaloneRuntime,
  { status, limit }: { readonly status?: string; readonly limit: number },
): readonly RunItem[] {
  const { journal, engine } = workshop;
  const items: RunItem[] = [];
  const step = status === undefined ? limit : longStep;
  const over = status === 'ok' || status === 'failed' || status === 'cancelled' ? status : undefined;
  for (let before: string | undefined; ; ) {
    const rows = journal.past({ status: over, before, limit: step });
    for (const row of rows) {
      const state = engine.show(row.id);
      if (!state) continue;
      const item = itemOf(workshop, row, state);
      if (status === undefined || item.status === status) items.push(item);
      if (items.length >= limit) return items;
    }
    before = rows.at(-1)?.id;
    if (rows.length < step) return items;
  }
}

function stateOfStep(step: StepState, waiting: boolean): StepView['state'] {
  if (step.skipped) return 'skipped';
  if (step.failed) return 'failed';
  if (step.ended) return 'done';
  if (step.uncertain) return 'uncertain';
  if (step.open) return 'running';
  return step.retryAt !== null ? 'retrying' : waiting ? 'waiting' : 'running';
}

const shownLength = 2_000;

function resultOf({ journal }: StandaloneRuntime, place: ResultPlace | null): StepResult | null {
  return place && unkeep(sha256, place, (hash) => journal.blob(hash));
}

function outputText(result: StepResult | null): string {
  if (!result) return '';
  if (result.stdout !== undefined) return result.stdout;
  const json = result.json ?? result.response;
  return json === undefined ? '' : stringifyExact(json as JsonValue);
}

export function runDetail(workshop: StandaloneRuntime, name: string): Result<RunDetail> {
  const { journal, engine } = workshop;
  const run = findRun(journal, name);
  if (!run.ok) return run;
  const [row, state] = [journal.run(run.value), engine.show(run.value)];
  if (!row || !state) return err(appError('not_found', 'There is no such run.'));
  const open = new Set(openGatesOf(state).map(({ path }) => path));
  const steps = [...state.steps.values()].map(
    (step): StepView => ({
      path: step.path,
      state: stateOfStep(step, open.has(step.path)),
      attempts: step.attempts,
      startedAt: timeOf(step.startedAt) ?? '',
      output: outputText(resultOf(workshop, step.ended)).slice(0, shownLength),
      error: step.failed?.message ?? null,
    }),
  );
  const decisions = [...state.gates.values()].flatMap((gate): readonly DecisionView[] =>
    gate.decision === null
      ? []
      : [
          {
            path: gate.path,
            prompt: gate.content.prompt,
            decision: gate.decision,
            by: gate.by,
            reason: gate.reason === '' ? null : gate.reason,
            contentHash: gate.contentHash,
          },
        ],
  );
  const { definition, args, initiatedBy, origin, costUsd, simulatedUsd, unpriced } = state;
  const cwd = origin?.cwd ?? null;
  return ok({
    ...itemOf(workshop, row, state),
    definition,
    args,
    initiatedBy,
    cwd,
    costUsd,
    simulatedUsd,
    unpriced,
    steps,
    decisions,
  });
}

export function stepOutput(workshop: StandaloneRuntime, name: string, path: string): Result<string> {
  const run = findRun(workshop.journal, name);
  if (!run.ok) return run;
  const step = workshop.engine.show(run.value)?.steps.get(path);
  if (step) return ok(outputText(resultOf(workshop, step.ended)));
  return err(
    appError('not_found', `The run has no step ${path}.`, { hint: 'puppy show RUN lists its steps.' }),
  );
}

export function runLog({ journal }: StandaloneRuntime, name: string): Result<RunLogView> {
  const run = findRun(journal, name);
  if (!run.ok) return run;
  return ok({ id: run.value, events: journal.events(run.value, 0), brokenAt: journal.brokenAt(run.value) });
}
