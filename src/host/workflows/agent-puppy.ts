import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { type AppError, appError, textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { TurnAbort } from '../../core/supervisor/runtime-port.ts';
import { isTaskTurn } from '../../core/tasks/task-turn.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { ToolCallContext } from '../../core/tools/tool.ts';
import { argumentsFrom } from '../../core/workflows/engine/arguments.ts';
import type { RunRow } from '../../core/workflows/engine/engine-ports.ts';
import { type Envelope, envelopeOf, errorEnvelope } from '../../core/workflows/engine/envelope.ts';
import { fitEnvelope } from '../../core/workflows/engine/fit-envelope.ts';
import { unkeep } from '../../core/workflows/engine/kept-result.ts';
import { isFinished, openGatesOf } from '../../core/workflows/engine/run-state.ts';
import { stringifyDefinition } from '../../core/workflows/file/stringify-workflow.ts';
import type {
  PuppyLimits,
  PuppyLook,
  PuppyRuns,
  PuppyTold,
  PuppyWish,
} from '../../core/workflows/puppy-port.ts';
import { say } from '../../language/say.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import { actsOf, whatIsTooMuch } from './agent-limits.ts';
import { loadFile, loadPipeline, type RunnableWorkflow, runnable } from './load-source.ts';
import type { OpenRuns } from './open-runs.ts';
import { operatorName } from './run-parties.ts';
import { begin } from './start-run.ts';
import { readWorkflowText, type WorkflowFiles } from './workflow-files.ts';

export interface AgentPuppyDeps {
  readonly agentId: string;
  /** Confined to the agent's roots. */
  readonly files: ConfinedFiles;
  /** Whether the agent has a shell without a sandbox. */
  readonly mayRunPrograms: () => boolean;
  readonly workflows: {
    runs(): Promise<Result<OpenRuns>>;
    /** False if no run ever existed. */
    begun(): boolean;
  };
  readonly workflowFiles: () => Promise<WorkflowFiles>;
  /** Resolves after `ms`. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

interface Looked {
  readonly definition: RunnableWorkflow;
  readonly cwd: string;
  readonly ownWords: boolean;
}

/** Checked workflows cached between the check and the run, so that the checked text is the one that runs. */
const maxLooked = 64;
/** ms between polls of a run. */
const lookMs = 100;

const isPath = (text: string): boolean =>
  /\.(puppy|lobster|ya?ml|json)$/i.test(text.trim()) && !/[|\n]/.test(text);
const nothingBegun = (error: AppError): PuppyTold => ({ envelope: refused(error), awaits: null });
const refused = (error: AppError): Envelope =>
  errorEnvelope({ ...error, message: `${error.message}${error.hint ? ` ${error.hint}` : ''}` });
/** Unfinished runs per agent; each may contain a question to a person. */
const mostOpen = 20;
const tooMany = fail(
  'rate_limited',
  'workflows.tooManyOpenRuns',
  { mostOpen },
  { help: 'workflows.waitOrEndSome' },
);
/** The id would make its runs indistinguishable from the operator's. */
const reserved = fail(
  'forbidden',
  'workflows.agentIdReserved',
  { operatorName },
  { help: 'workflows.askOperatorId' },
);
const notYours = fail('not_found', 'workflows.runNotYours');

/** Searches the agent's folders first, then the operator's workflows. */
async function loadWish(deps: AgentPuppyDeps, { pipeline }: PuppyWish): Promise<Result<Omit<Looked, 'cwd'>>> {
  if (!isPath(pipeline)) {
    const loaded = loadPipeline(pipeline);
    return loaded.ok ? ok({ definition: loaded.value, ownWords: true }) : loaded;
  }
  const path = pipeline.trim();
  const own = await loadFile(path, (wanted) => readWorkflowText(deps.files, wanted));
  const theirs = await deps.workflowFiles();
  const inFolder = own.ok ? own : await loadFile(path, (wanted) => theirs.readOwn(wanted));
  if (!inFolder.ok) return own.ok ? inFolder : own;
  const loaded = runnable(inFolder.value);
  return loaded.ok ? ok({ definition: loaded.value, ownWords: own.ok }) : loaded;
}

async function look(deps: AgentPuppyDeps, wish: PuppyWish): Promise<Result<Looked>> {
  if (deps.agentId === operatorName) return err(reserved);
  const place = deps.files.resolve(wish.cwd === '' ? deps.files.roots.cwd : wish.cwd, 'read');
  if (!place.ok) return place;
  const loaded = await loadWish(deps, wish);
  if (!loaded.ok) return loaded;
  const { definition, ownWords } = loaded.value;
  const all = [definition.definition, ...definition.children.map((child) => child.definition)];
  const tooMuch = ownWords && !deps.mayRunPrograms() ? whatIsTooMuch(all, deps.agentId) : null;
  if (tooMuch !== null)
    return err(textError('forbidden', tooMuch, { hint: say('workflows.askOperatorWorkflow') }));
  return ok({ ...loaded.value, cwd: realpathSync(place.value) });
}

const viewOf = ({ definition, cwd, ownWords }: Looked): PuppyLook => {
  const { definition: root, children, file } = definition;
  const all = [root, ...children.map((child) => child.definition)];
  const source = all.map((each) => stringifyDefinition(each)).join('\n---\n');
  return {
    name: root.name ?? (file === null ? 'pipeline' : basename(file)),
    source,
    digest: sha256Hex(source),
    cwd,
    ownWords,
    acts: all.some((each) => actsOf(each)),
  };
};

/** Removes the tokens that answer gates; an agent never gets one. */
function withoutToken(envelope: Envelope): Envelope {
  if (!envelope.ok) return envelope;
  const { requiresApproval, requiresInput } = envelope;
  const strip = <T extends { readonly resumeToken: string }>({ resumeToken: _, ...rest }: T) => rest;
  const noId = ({ approvalId: _, ...rest }: Omit<NonNullable<typeof requiresApproval>, 'resumeToken'>) =>
    rest;
  return {
    ...envelope,
    requiresApproval: requiresApproval && noId(strip(requiresApproval)),
    requiresInput: requiresInput && strip(requiresInput),
  } as Envelope;
}

function stand({ journal, book }: OpenRuns, run: string): Envelope {
  const row = journal.run(run);
  const { state } = book.live(run);
  const gate = openGatesOf(state)[0];
  return withoutToken(
    envelopeOf({
      run,
      status: row?.status ?? state.status,
      message: state.message,
      initiatedBy: state.initiatedBy,
      result: state.output && unkeep(sha256, state.output, (hash) => journal.blob(hash)),
      gate: gate ? { content: gate.content, token: '', shortId: '' } : null,
      wakeAt: row?.wakeAt ?? null,
    }),
  );
}

interface Begun {
  readonly run: string;
  /** Started by an earlier attempt of the call. */
  readonly again: boolean;
}

/** A repeated call returns at once if the first call already returned at a gate. */
function stands({ journal, book }: OpenRuns, { run, again }: Begun): boolean {
  if (journal.run(run)?.status !== 'running') return true;
  return again && book.live(run).state.gates.size > 0;
}

async function watch(
  { wait, agentId }: AgentPuppyDeps,
  runs: OpenRuns,
  begun: Begun,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Envelope> {
  const { run } = begun;
  const tries = Math.ceil(timeoutMs / lookMs);
  for (let tried = 0; tried < tries && !stands(runs, begun) && !signal.aborted; tried += 1)
    await wait(lookMs, signal);
  // The turn resumes later and finds the run again.
  if (stands(runs, begun) || signal.reason === ('interrupted' satisfies TurnAbort)) return stand(runs, run);
  await runs.engine.cancel(run, agentId);
  const why = signal.aborted ? say('workflows.puppyStopped') : say('workflows.puppyTimedOut', { timeoutMs });
  const message = say('workflows.endedAndCancelled', { why });
  return { ...errorEnvelope(appError('timeout', message)), runId: run };
}

interface RunCall {
  readonly wish: PuppyWish;
  readonly call: ToolCallContext;
  readonly looked: Looked;
}

const ofTools = 'tool:';
/**
 * A task's call has no agent in its key, so that another agent that continues the task finds the same run.
 */
const keyOfCall = (agentId: string, { turnId, callId }: ToolCallContext): string =>
  `${ofTools}${isTaskTurn(turnId) ? '' : agentId}:${turnId}:${callId}`;

const runOfCall = ({ journal }: OpenRuns, agentId: string, call: ToolCallContext): RunRow | null =>
  journal.keyed(keyOfCall(agentId, call));

/** A repeated call shows the run that it started, because the file may have changed. */
function viewOfRun({ book }: OpenRuns, row: RunRow): PuppyLook {
  const { origin } = book.live(row.id).state;
  const source = stringifyDefinition(book.definition(row));
  const ownWords = origin?.writtenBy !== undefined;
  return {
    name: book.name(row),
    source,
    digest: row.definition,
    cwd: origin?.cwd ?? '',
    acts: false,
    ownWords,
  };
}

const openRunsOf = ({ journal, book }: OpenRuns, agentId: string): number =>
  (['running', 'waiting'] as const)
    .flatMap((status) => journal.runs({ status, limit: 1_000_000 }))
    .filter(({ idempotencyKey: key }) => key?.startsWith(ofTools))
    .filter(({ id }) => book.live(id).state.initiatedBy === agentId).length;

function startLooked(
  { agentId }: AgentPuppyDeps,
  runs: OpenRuns,
  { wish, call, looked }: RunCall,
): Result<RunRow> {
  const args = argumentsFrom(wish.argsJson);
  if (!args.ok) return args;
  const { definition, cwd, ownWords } = looked;
  if (openRunsOf(runs, agentId) >= mostOpen) return err(tooMany);
  const written = ownWords ? { writtenBy: agentId } : {};
  return begin(runs, {
    definition,
    args: args.value,
    initiatedBy: agentId,
    origin: { cwd, file: definition.file, thread: call.threadKey, ...written },
    key: keyOfCall(agentId, call),
  });
}

async function follow(
  deps: AgentPuppyDeps,
  runs: OpenRuns,
  begun: Begun,
  { timeoutMs, maxStdoutBytes }: PuppyLimits,
  { threadKey, signal }: ToolCallContext,
): Promise<PuppyTold> {
  const { run, again } = begun;
  // The repeated call sees the end here, so no notification is pending while it looks.
  if (again) runs.words.seen(deps.agentId, run);
  const told = await watch(deps, runs, begun, timeoutMs, signal);
  const waits = told.ok && told.status !== 'ok' && told.status !== 'cancelled';
  // A chat turn does not wait for people; a later turn notifies the agent of the end.
  if (waits) runs.words.owe(deps.agentId, run, threadKey);
  return { envelope: fitEnvelope(told, maxStdoutBytes), awaits: waits ? run : null };
}

export function createAgentPuppy(deps: AgentPuppyDeps): PuppyRuns {
  const looked = new Map<string, Looked>();
  const keyOf = (wish: PuppyWish, { turnId, callId }: ToolCallContext): string =>
    JSON.stringify([turnId, callId, wish]);

  const mine = async (run: string): Promise<Result<{ readonly runs: OpenRuns; readonly id: string }>> => {
    if (deps.agentId === operatorName) return err(reserved);
    const runs = await deps.workflows.runs();
    if (!runs.ok) return runs;
    const row = runs.value.book.find(run);
    if (!row.ok) return err(notYours);
    const { id } = row.value;
    return runs.value.book.live(id).state.initiatedBy === deps.agentId
      ? ok({ runs: runs.value, id })
      : err(notYours);
  };

  return {
    async look(wish, call) {
      const begun = deps.workflows.begun() ? await deps.workflows.runs() : null;
      const known = begun?.ok ? runOfCall(begun.value, deps.agentId, call) : null;
      if (begun?.ok && known) return ok(viewOfRun(begun.value, known));
      const args = argumentsFrom(wish.argsJson);
      if (!args.ok) return args;
      const found = await look(deps, wish);
      if (!found.ok) return found;
      const oldest = looked.size >= maxLooked ? looked.keys().next().value : undefined;
      if (oldest !== undefined) looked.delete(oldest);
      looked.set(keyOf(wish, call), found.value);
      return ok(viewOf(found.value));
    },
    async run(wish, limits, call) {
      const runs = await deps.workflows.runs();
      if (!runs.ok) return nothingBegun(runs.error);
      const begun = runOfCall(runs.value, deps.agentId, call);
      if (begun) return follow(deps, runs.value, { run: begun.id, again: true }, limits, call);
      const known = looked.get(keyOf(wish, call));
      looked.delete(keyOf(wish, call));
      const found = known ? ok(known) : await look(deps, wish);
      if (!found.ok) return nothingBegun(found.error);
      const started = startLooked(deps, runs.value, { wish, call, looked: found.value });
      if (!started.ok) return nothingBegun(started.error);
      return follow(deps, runs.value, { run: started.value.id, again: false }, limits, call);
    },
    async state(run, maxStdoutBytes) {
      const found = await mine(run);
      if (!found.ok) return refused(found.error);
      const { runs, id } = found.value;
      if (isFinished(runs.book.live(id).state.status)) runs.words.seen(deps.agentId, id);
      return fitEnvelope(stand(runs, id), maxStdoutBytes);
    },
    async cancel(run) {
      const found = await mine(run);
      if (!found.ok) return refused(found.error);
      const { runs, id } = found.value;
      const { status } = runs.book.live(id).state;
      if (isFinished(status)) return stand(runs, id);
      const cancelled = await runs.engine.cancel(id, deps.agentId);
      if (cancelled.ok) runs.words.seen(deps.agentId, id);
      return cancelled.ok ? stand(runs, id) : refused(cancelled.error);
    },
  };
}
