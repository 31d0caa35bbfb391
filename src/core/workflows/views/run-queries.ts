/** Queries over the journal for people, in a host and in a state folder: lists, one run, one step, raw events. */

import { appError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import type { MethodOutput } from '../../../contract/methods.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { RunGate, RunSummary, RunView } from '../../../contract/workflow-methods.ts';
import { say } from '../../../language/say.ts';
import { cutText } from '../../lib/cut-text.ts';
import { cutCodePoints } from '../../lib/text.ts';
import type { RunRow } from '../engine/engine-ports.ts';
import type { ResultPlace, Sha256 } from '../engine/events.ts';
import { unkeep } from '../engine/kept-result.ts';
import { pinned } from '../engine/run-log.ts';
import { isFinished, type StepFold } from '../engine/run-state.ts';
import type { StepResult, WorkflowDefinition } from '../file/definition.ts';
import { graphOf } from '../file/graph.ts';
import { stringifyDefinition } from '../file/stringify-workflow.ts';
import { type JsonValue, stringifyExact } from '../pipeline/exact-json.ts';
import { createLiveRuns, type LiveRun } from './live-runs.ts';
import type { RunHistory, WordsQuery } from './run-history.ts';
import { jsonOrEmpty, viewForks, viewGates, viewSteps, viewSummary } from './run-views.ts';
import { comparedRuns, nearRun } from './suggest-run.ts';

/** Code points of one step's output. */
const wholeOutput = 2_000_000;
/** Limit on unfinished runs shown. */
const longStep = 500;
const maxNames = 500;

/** Without the file's current state, which needs a read. */
export type RunKnown = Omit<MethodOutput<'runs.get'>, 'fileNow'>;

export interface RunQueries {
  /** Finds a run by id or a unique prefix of at least four characters. */
  find(ref: string): Result<RunRow>;
  live(run: string): LiveRun;
  definition(row: RunRow): WorkflowDefinition;
  name(row: RunRow): string;
  summary(row: RunRow): RunSummary;
  view(run: string): RunView;
  gates(row: RunRow): readonly RunGate[];
  list(query: ListQuery): Promise<MethodOutput<'runs.list'>>;
  /** Unfinished runs and the latest fifty finished ones. */
  shown(): readonly RunSummary[];
  get(row: RunRow): RunKnown;
  /** `most`: code points of each text; two million if absent. */
  step(row: RunRow, path: string, most?: number): Result<MethodOutput<'runs.step'>>;
  log(row: RunRow, after: number, limit: number): MethodOutput<'runs.log'>;
}

interface ListQuery {
  readonly status?: RunSummary['status'] | undefined;
  readonly text?: string | undefined;
  /** Absent: none, but a search by text finds archived runs, too. */
  readonly archived?: boolean | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

function unknown(ref: string, near: string | null) {
  const hint = near === null ? say('workflows.runPuppyList') : say('host.didYouMean', { name: near });
  return err(appError('not_found', say('workflows.unknownRunRef', { id: ref }), { hint }));
}
const latest = 50;

export interface RunQueriesDeps {
  readonly journal: RunHistory;
  readonly sha256: Sha256;
  /** Yields to other work between two batches of a search. */
  breathe(): Promise<void>;
  /** Finds the task of an `agent` step by the step's key. */
  taskOf(key: string): number | null;
}

export const createRunQueries = (deps: RunQueriesDeps): RunQueries => new JournalRunQueries(deps);

class JournalRunQueries implements RunQueries {
  readonly #deps: RunQueriesDeps;
  readonly #journal: RunHistory;
  readonly #runs: ReturnType<typeof createLiveRuns>;
  /** By definition hash. */
  readonly #names = new Map<string, string>();
  /** By definition hash: whether it has an `agent` step. */
  readonly #agents = new Map<string, boolean>();
  /** Finished runs do not change unless they are retried. */
  readonly #ended = new Map<string, RunSummary>();

  constructor(deps: RunQueriesDeps) {
    this.#deps = deps;
    this.#journal = deps.journal;
    this.#runs = createLiveRuns(deps.journal);
  }

  find(ref: string): Result<RunRow> {
    const whole = this.#journal.run(ref);
    if (whole) return ok(whole);
    const found = ref.length < 4 ? [] : this.#journal.past({ begins: ref, limit: 2 });
    if (found.length > 1) return err(fail('invalid_input', 'workflows.severalRuns', { id: ref }));
    if (found[0]) return ok(found[0]);
    const latest = this.#journal.past({ limit: comparedRuns }).map(({ id }) => id);
    return unknown(ref, nearRun(ref, latest));
  }

  live(run: string): LiveRun {
    return this.#runs.of(run);
  }

  definition(row: RunRow): WorkflowDefinition {
    return pinned(this.#deps.sha256, row.definition, this.#journal.definition(row.definition));
  }

  name(row: RunRow): string {
    return this.summary(row).name;
  }

  summary(row: RunRow): RunSummary {
    const before = this.#ended.get(row.id);
    if (before?.archivedAt === (row.archivedAt ?? null) && isFinished(row.status)) return before;
    const summary = viewSummary(row, this.live(row.id), this.#given(row.definition));
    if (isFinished(row.status)) {
      if (this.#ended.size >= maxNames * 10) this.#ended.clear();
      this.#ended.set(row.id, summary);
    } else this.#ended.delete(row.id);
    return summary;
  }

  view(run: string): RunView {
    const row = this.#journal.run(run);
    if (!row) return { run: null, steps: {}, gates: {} };
    const live = this.live(run);
    return {
      run: this.summary(row),
      steps: viewSteps(live, this.#texts(live)),
      gates: viewGates(live, this.#shortId),
    };
  }

  gates({ id }: RunRow): readonly RunGate[] {
    return Object.values(viewGates(this.live(id), this.#shortId));
  }

  async list({ status, text = '', archived, before, limit }: ListQuery): Promise<MethodOutput<'runs.list'>> {
    const wanted = text.trim().toLowerCase();
    const rows =
      wanted === ''
        ? this.#journal.past({ status, before, archived: archived ?? false, limit: limit + 1 })
        : await this.#search({ status, archived, before, text: wanted, limit: limit + 1 });
    return { runs: rows.slice(0, limit).map((row) => this.summary(row)), hasMore: rows.length > limit };
  }

  shown(): readonly RunSummary[] {
    const rows = [
      ...this.#rows(longStep, { status: 'running' }),
      ...this.#rows(longStep, { status: 'waiting' }),
      ...this.#journal
        .past({ archived: false, limit: latest * 2 })
        .filter(({ status }) => isFinished(status))
        .slice(0, latest),
    ];
    return rows.map((row) => this.summary(row));
  }

  get(row: RunRow): RunKnown {
    const live = this.live(row.id);
    const { args, output } = live.state;
    const definition = this.definition(row);
    const left = output && this.#kept(output);
    const graph = graphOf(definition);
    return {
      run: this.summary(row),
      argsJson: stringifyExact(args),
      source: stringifyDefinition(definition),
      graph: { ...graph, nodes: [...graph.nodes], edges: [...graph.edges] },
      steps: Object.values(viewSteps(live, this.#texts(live))),
      gates: [...this.gates(row)],
      outputJson: left ? jsonOrEmpty(left.json ?? left.response ?? left.stdout) : '',
      ...viewForks(live.state),
    };
  }

  step(row: RunRow, path: string, most = wholeOutput): Result<MethodOutput<'runs.step'>> {
    const step = this.live(row.id).state.steps.get(path);
    if (!step) return err(fail('not_found', 'workflows.stepNotBegun', { path }));
    const left = step.ended ? this.#kept(step.ended) : null;
    const error = step.failed?.message ?? left?.errorMessage ?? '';
    if (step.ended && !left) return err(fail('corrupt', 'workflows.stepOutputDamaged'));
    return ok({
      stdout: cutCodePoints(left?.stdout ?? '', most),
      json: cutCodePoints(jsonOrEmpty(left?.json === undefined ? left?.response : left.json), most),
      error: cutText(error, most),
    });
  }

  log(row: RunRow, after: number, limit: number): MethodOutput<'runs.log'> {
    const rows = this.#journal.events(row.id, after, limit + 1);
    const events = rows.slice(0, limit).map(({ seq, at, event, previous }) => {
      const { type, ...rest } = event;
      const path = 'path' in rest && rest.path !== null ? rest.path : '';
      return { seq, at, kind: type, path, json: stringifyExact(rest as unknown as JsonValue), previous };
    });
    const total = this.live(row.id).state.last?.seq ?? 0;
    const told = { events, hasMore: rows.length > limit, total };
    if (after > 0) return { ...told, verified: null, brokenAt: null };
    const brokenAt = this.#journal.brokenAt(row.id);
    return { ...told, verified: brokenAt === null, brokenAt };
  }

  /** In pieces, yielding to the event loop. */
  async #search(query: WordsQuery): Promise<readonly RunRow[]> {
    while (this.#journal.readInWords()) await this.#deps.breathe();
    const found: RunRow[] = [];
    for (let below: number | undefined; ; ) {
      const piece = this.#journal.found({ ...query, below, limit: query.limit - found.length });
      found.push(...piece.rows);
      if (piece.below === null || found.length >= query.limit) return found;
      below = piece.below;
      await this.#deps.breathe();
    }
  }

  readonly #shortId = (gate: string): string | null => this.#journal.gate(gate)?.shortId ?? null;

  #rows(limit: number, of: { readonly status: RunSummary['status'] }): readonly RunRow[] {
    return this.#journal.runs({ limit, ...of });
  }

  /** Name given by the author, or an empty text. */
  #given(hash: string): string {
    const known = this.#names.get(hash);
    if (known !== undefined) return known;
    const text = this.#journal.definition(hash);
    const name = text === null ? '' : ((JSON.parse(text) as WorkflowDefinition).name ?? '');
    if (this.#names.size >= maxNames) this.#names.clear();
    this.#names.set(hash, name);
    return name;
  }

  #kept(place: ResultPlace): StepResult | null {
    return unkeep(this.#deps.sha256, place, (hash) => this.#journal.blob(hash));
  }

  /** Tasks are looked up only for runs with `agent` steps. */
  #handsOut({ state }: LiveRun): boolean {
    return [state.definition, ...Object.values(state.children)].some((hash) => {
      const known = this.#agents.get(hash);
      if (known !== undefined) return known;
      const has = this.#journal.definition(hash)?.includes('"kind":"agent"') === true;
      if (this.#agents.size >= maxNames) this.#agents.clear();
      this.#agents.set(hash, has);
      return has;
    });
  }

  #texts(live: LiveRun) {
    const handsOut = this.#handsOut(live);
    return {
      result: (step: StepFold) => (step.ended ? this.#kept(step.ended) : null),
      task: ({ key }: StepFold) => (handsOut ? this.#deps.taskOf(key) : null),
    };
  }
}
