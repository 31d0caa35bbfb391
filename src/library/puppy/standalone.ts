/** Commands on runs, and their implementation without a host: one state folder with one owner. */

import { fail } from '../../contract/fail.ts';
import type { MethodInput, MethodOutput } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { archivedBefore } from '../../core/lib/archive.ts';
import type { GateReply } from '../../core/workflows/engine/answer-gate.ts';
import { type Envelope, envelopeExitCode, refusedEnvelope } from '../../core/workflows/engine/envelope.ts';
import { notEnded } from '../../core/workflows/engine/fork.ts';
import { isFinished } from '../../core/workflows/engine/run-state.ts';
import { stringifyExact } from '../../core/workflows/pipeline/exact-json.ts';
import type { JournalFile } from '../../services/workflows/journal-file.ts';
import { refusalEnvelope } from './fit-envelope.ts';
import { namedWorkflows } from './named-workflows.ts';
import {
  cancelRun,
  driveWithin,
  type Limits,
  type RunRequest,
  readRequest,
  resumeIn,
  runIn,
} from './puppy.ts';
import { readSource, type WorkflowSource } from './read-source.ts';
import type { RenderText, RunDetail, RunItem, RunLogView } from './run-formats.ts';
import type { openRunViews, RunFilter } from './run-views.ts';
import { admitGuess } from './short-id-guard.ts';
import { openStandaloneRuntime, type StandaloneRuntime, type Variables } from './standalone-runtime.ts';

export type { Envelope } from '../../core/workflows/engine/envelope.ts';
export type { JournalFile } from '../../services/workflows/journal-file.ts';
export type { Limits, RunRequest } from './puppy.ts';
export type { WorkflowSource } from './read-source.ts';
export type { RunDetail, RunItem, RunLogView } from './run-formats.ts';

export type OwnerAnswer = GateReply | { readonly type: 'cancel_run' };

/** `current` uses the file as it is now; otherwise the pinned definition, `from` a step or from the start. */
export type Again = { readonly current: true } | { readonly current: false; readonly from: string | null };

export type Places = MethodOutput<'runs.places'>;

export type QuestionName = { readonly token: string } | { readonly shortId: string };

export type ArchiveWish = MethodInput<'runs.archive'>;

/** The same for a state folder and for a running host. */
export interface RunCommands {
  /** Description of the storage, for people. */
  readonly place: string;
  run(source: WorkflowSource, request: RunRequest): Promise<Envelope>;
  /** By token, or by the short id that only this computer's owner sees. */
  answer(by: QuestionName, answer: OwnerAnswer, limits: Limits): Promise<Envelope>;
  goOn(run: string, limits: Limits): Promise<Envelope>;
  cancel(run: string): Promise<Envelope>;
  retry(run: string, limits: Limits): Promise<Envelope>;
  again(run: string, wish: Again, limits: Limits): Promise<Envelope>;
  /** Steps to restart from; `from` is `null` for all. */
  places(run: string, from: string | null): Promise<Result<Places>>;
  list(query: RunFilter): Promise<readonly RunItem[]>;
  /** Moves finished runs into the archive or back, all or none; returns their ids. */
  archive(wish: ArchiveWish): Promise<Result<readonly string[]>>;
  show(run: string): Promise<Result<RunDetail>>;
  step(run: string, path: string): Promise<Result<string>>;
  log(run: string): Promise<Result<RunLogView>>;
  /** `path` is absolute. */
  export(run: string, path: string): Promise<Result<JournalFile & { readonly id: string }>>;
  /** Every run ever recorded. `missing` is the number of removed ones, or `null` if it is unknown. */
  all(): Promise<{ readonly ids: readonly string[]; readonly missing: number | null }>;
  close(): void;
}

interface StandaloneOptions {
  readonly root: string;
  readonly env: Variables;
  readonly maxPipelineOutput?: number;
  /** English if absent. */
  readonly render?: RenderText;
}

/** Runs the current file with the arguments and folder of the earlier run. */
async function fileAgain(runtime: StandaloneRuntime, run: string, request: RunRequest): Promise<Envelope> {
  const state = runtime.engine.show(run);
  const origin = state?.origin;
  if (!state || !isFinished(state.status)) return refusalEnvelope(notEnded);
  if (!origin?.file) return refusalEnvelope(fail('conflict', 'workflows.runWithoutFile'));
  const read = readSource({ file: origin.file }, origin.cwd);
  if (!read.ok) return refusalEnvelope(read.error);
  return runIn(runtime, read.value, { ...request, argsJson: stringifyExact(state.args) });
}

function standaloneCommands(
  runtime: StandaloneRuntime,
  { root, env, render }: StandaloneOptions,
): RunCommands {
  const { engine, journal, stateDir } = runtime;
  const approvedBy = env.PUPPY_APPROVAL_APPROVED_BY || null;
  const initiatedBy = env.PUPPY_APPROVAL_INITIATED_BY || null;
  let opened: ReturnType<typeof openRunViews> | null = null;
  // Running a workflow needs no views.
  const views = async (): Promise<ReturnType<typeof openRunViews>> => {
    opened ??= (await import('./run-views.ts')).openRunViews(runtime, render);
    return opened;
  };
  const withRun = async (name: string, work: (run: string) => Promise<Envelope>): Promise<Envelope> => {
    const run = (await views()).find(name);
    return run.ok ? work(run.value) : refusalEnvelope(run.error);
  };
  return {
    place: stateDir,
    async run(source, request) {
      const read = readRequest(source, root, request.cwd);
      if (!read.ok) return refusalEnvelope(read.error);
      return runIn(runtime, read.value, { initiatedBy, ...request });
    },
    async answer(by, answer, limits) {
      const guess = 'shortId' in by ? admitGuess(stateDir, Date.now()) : null;
      if (guess?.ok === false) return refusedEnvelope(guess.error);
      const told = await resumeIn(runtime, { by, answer, approvedBy, ...limits });
      if (guess?.ok && envelopeExitCode(told) !== 2) guess.value.wasRight();
      return told;
    },
    goOn: (name, limits) => withRun(name, (run) => driveWithin(runtime, run, limits)),
    cancel: (name) => withRun(name, (run) => cancelRun(runtime, run, approvedBy)),
    retry: (name, limits) =>
      withRun(name, async (run) => {
        const again = engine.retry(run, approvedBy);
        return again.ok ? driveWithin(runtime, run, limits) : refusalEnvelope(again.error);
      }),
    again: (name, wish, limits) =>
      withRun(name, async (run) => {
        if (wish.current) return fileAgain(runtime, run, { initiatedBy, ...limits });
        const again = engine.fork({ run, from: wish.from, by: initiatedBy });
        return again.ok ? driveWithin(runtime, again.value.id, limits) : refusalEnvelope(again.error);
      }),
    async places(name, from) {
      const run = (await views()).find(name);
      return run.ok ? engine.places(run.value, from) : run;
    },
    list: async (query) => (await views()).list(query),
    async archive({ archived, runs, olderThanDays = 0 }) {
      const found = await views();
      const now = Date.now();
      const ids: string[] = [];
      for (const name of runs ?? journal.endedBefore(archivedBefore(olderThanDays, now))) {
        const run = found.find(name);
        if (!run.ok) return run;
        ids.push(run.value);
      }
      const done = journal.archive(ids, archived, now);
      return done.ok ? ok(ids) : done;
    },
    show: async (name) => (await views()).show(name),
    step: async (name, path) => (await views()).step(name, path),
    log: async (name) => (await views()).log(name),
    async export(name, path) {
      const run = (await views()).find(name);
      if (!run.ok) return run;
      const { writeJournalFile } = await import('../../services/workflows/journal-file.ts');
      const written = await writeJournalFile(journal, run.value, path);
      return written.ok ? ok({ id: run.value, ...written.value }) : written;
    },
    all: async () => ({
      ids: journal.runs({ limit: Number.MAX_SAFE_INTEGER }).map(({ id }) => id),
      missing: journal.missingRuns(),
    }),
    close: runtime.close,
  };
}

export function openStandalone(options: StandaloneOptions): Result<RunCommands> {
  const { root } = options;
  const opened = openStandaloneRuntime({ ...options, workflows: namedWorkflows(root, () => runtime) });
  if (!opened.ok) return err({ ...opened.error, code: 'io_error' });
  const runtime: StandaloneRuntime = opened.value;
  return ok(standaloneCommands(runtime, options));
}
