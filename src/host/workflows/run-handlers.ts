import { isAbsolute } from 'node:path';
import { fail } from '../../contract/fail.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { GateAnswer, RunSummary } from '../../contract/workflow-methods.ts';
import { archivedBefore } from '../../core/lib/archive.ts';
import type { Clock } from '../../core/ports.ts';
import type { GateName, GateReply } from '../../core/workflows/engine/answer-gate.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { writeJournalFile } from '../../services/workflows/journal-file.ts';
import type { Handlers } from '../dispatch.ts';
import type { Secrets } from '../vault/secrets.ts';
import type { OpenRuns } from './open-runs.ts';
import { fileNow, runAgain } from './run-again.ts';
import { createGuessLimit } from './short-id-limit.ts';
import { startForOperator } from './start-run.ts';
import type { WorkflowFiles } from './workflow-files.ts';
import type { Workflows } from './workflows.ts';

type RunMethods = Pick<
  Handlers,
  | 'runs.start'
  | 'runs.list'
  | 'runs.get'
  | 'runs.places'
  | 'runs.step'
  | 'runs.log'
  | 'runs.export'
  | 'runs.piece'
  | 'runs.cancel'
  | 'runs.retry'
  | 'runs.again'
  | 'runs.archive'
  | 'runs.decide'
>;

const unknown = fail('not_found', 'workflows.noRunsYet');

const other = fail('conflict', 'approvals.questionChanged', {}, { help: 'approvals.lookAgain' });

function nameOf({ token, shortId, gate = '' }: MethodParsed<'runs.decide'>): GateName {
  if (token !== undefined) return { token };
  return shortId === undefined ? { gate } : { shortId };
}

const engineAnswer = (answer: GateAnswer): GateReply =>
  answer.type === 'respond' ? { type: 'respond', response: answer.response as Json } : answer;

export interface RunHandlersDeps {
  readonly workflows: Pick<Workflows, 'runs' | 'begun'>;
  readonly files: () => Promise<WorkflowFiles>;
  readonly secrets: Pick<Secrets, 'state' | 'open' | 'openForReal'>;
  /** Opens the parts that depend on the vault, workflows included. */
  openParts(): Promise<Result<unknown>>;
  readonly clock: Clock;
  /** The operator's name outside of a gate. */
  operatorName(): string;
}

/** The vault seals the journal, so the first run creates a vault if none exists. */
async function openFor({
  workflows,
  openParts,
  secrets,
}: Pick<RunHandlersDeps, 'workflows' | 'openParts' | 'secrets'>): Promise<Result<OpenRuns>> {
  if (secrets.state() !== 'open') {
    const made = secrets.state() === 'none' ? await secrets.openForReal() : await secrets.open();
    if (!made.ok) return made;
  }
  const parts = await openParts();
  return parts.ok ? workflows.runs() : parts;
}

async function findRun(workflows: RunHandlersDeps['workflows'], ref: string) {
  if (!workflows.begun()) return err(unknown);
  const runs = await workflows.runs();
  if (!runs.ok) return runs;
  const row = runs.value.book.find(ref);
  return row.ok ? ok({ runs: runs.value, row: row.value }) : row;
}

function createLookHandlers({ workflows, files }: Pick<RunHandlersDeps, 'workflows' | 'files'>) {
  const known = (ref: string) => findRun(workflows, ref);
  return {
    'runs.list': async (query) => {
      if (!workflows.begun()) return ok({ runs: [], hasMore: false });
      const runs = await workflows.runs();
      return runs.ok ? ok(await runs.value.book.list(query)) : runs;
    },
    'runs.get': async ({ run }) => {
      const found = await known(run);
      if (!found.ok) return found;
      const { book } = found.value.runs;
      const { row } = found.value;
      return ok({ ...book.get(row), fileNow: await fileNow(book.live(row.id).state, await files()) });
    },
    'runs.places': async ({ run, from }) => {
      const found = await known(run);
      return found.ok ? found.value.runs.engine.places(found.value.row.id, from ?? null) : found;
    },
    'runs.step': async ({ run, path }) => {
      const found = await known(run);
      return found.ok ? found.value.runs.book.step(found.value.row, path) : found;
    },
    'runs.log': async ({ run, after, limit }) => {
      const found = await known(run);
      return found.ok ? ok(found.value.runs.book.log(found.value.row, after, limit)) : found;
    },
    'runs.export': async ({ run, path }) => {
      if (!isAbsolute(path))
        return err(fail('invalid_input', 'workflows.useWholePath', {}, { where: 'path' }));
      const found = await known(run);
      return found.ok ? writeJournalFile(found.value.runs.journal, found.value.row.id, path) : found;
    },
    'runs.piece': async ({ run, from }) => {
      const found = await known(run);
      return found.ok ? found.value.runs.pieces(found.value.row.id, from ?? null) : found;
    },
  } satisfies Partial<RunMethods>;
}

const summaryOf = ({ book }: OpenRuns, run: string): Result<RunSummary> => {
  const row = book.find(run);
  return row.ok ? ok(book.summary(row.value)) : row;
};

function createChangeHandlers({ workflows, files, clock, operatorName }: RunHandlersDeps) {
  const guesses = createGuessLimit(clock);
  const known = (ref: string) => findRun(workflows, ref);
  return {
    'runs.cancel': async ({ run }) => {
      const found = await known(run);
      if (!found.ok) return found;
      const {
        runs,
        row: { id },
      } = found.value;
      const cancelled = await runs.engine.cancel(id, operatorName());
      runs.driver.wake();
      return cancelled.ok ? summaryOf(runs, id) : cancelled;
    },
    'runs.retry': async ({ run }) => {
      const found = await known(run);
      if (!found.ok) return found;
      const {
        runs,
        row: { id },
      } = found.value;
      const again = runs.engine.retry(id, operatorName());
      runs.driver.wake();
      return again.ok ? summaryOf(runs, id) : again;
    },
    'runs.again': async (wish) => {
      const found = await known(wish.run);
      if (!found.ok) return found;
      const {
        runs,
        row: { id },
      } = found.value;
      const again = await runAgain(runs, files, id, wish);
      return again.ok ? summaryOf(runs, again.value.id) : again;
    },
    'runs.decide': async (input, { kind }) => {
      const { digest, answer } = input;
      if (!workflows.begun()) return err(unknown);
      const runs = await workflows.runs();
      if (!runs.ok) return runs;
      const { questions } = runs.value;
      const by = nameOf(input);
      const row = questions.find(by);
      if ('shortId' in by && !guesses.mayTry()) return err(guesses.refusal);
      if ('shortId' in by) guesses.tried(row !== null);
      if (row && digest !== undefined && digest !== row.contentHash) return err(other);
      const surface = kind === 'owner-ui' ? 'window' : 'terminal';
      const decided = questions.decide(by, engineAnswer(answer), surface);
      if (!decided.ok) return decided;
      const summary = summaryOf(runs.value, decided.value.run);
      return summary.ok ? ok({ run: summary.value, decision: decided.value.decision }) : summary;
    },
  } satisfies Partial<RunMethods>;
}

async function archiveRuns(
  { workflows, clock }: Pick<RunHandlersDeps, 'workflows' | 'clock'>,
  { archived, runs: named, olderThanDays }: MethodParsed<'runs.archive'>,
): Promise<Result<{ runs: string[] }>> {
  if ((named === undefined) === (olderThanDays === undefined) || (!archived && named === undefined))
    return err(fail('invalid_input', 'workflows.nameOrAge', {}, { where: 'runs' }));
  if (!workflows.begun()) return named === undefined ? ok({ runs: [] }) : err(unknown);
  const opened = await workflows.runs();
  if (!opened.ok) return opened;
  const { journal, book } = opened.value;
  const ids = new Set<string>();
  for (const ref of named ?? journal.endedBefore(archivedBefore(olderThanDays ?? 0, clock.now()))) {
    const row = book.find(ref);
    if (!row.ok) return row;
    ids.add(row.value.id);
  }
  const done = journal.archive([...ids], archived, clock.now());
  if (!done.ok) return done;
  return ok({ runs: [...ids] });
}

export function createRunHandlers(deps: RunHandlersDeps): RunMethods {
  return {
    ...createLookHandlers(deps),
    ...createChangeHandlers(deps),
    'runs.archive': (input) => archiveRuns(deps, input),
    'runs.start': async (wish) => {
      const runs = await openFor(deps);
      if (!runs.ok) return runs;
      const started = await startForOperator(runs.value, await deps.files(), wish);
      return started.ok ? summaryOf(runs.value, started.value.id) : started;
    },
  };
}
