import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MethodInput, MethodOutput } from '../../contract/methods.ts';
import { ok } from '../../contract/result.ts';
import { runStatuses } from '../../contract/run-states.ts';
import { say } from '../../language/say.ts';
import { fitPrintedEnvelope, jsonValue } from '../../library/puppy/fit-envelope.ts';
import { formOf } from '../../library/puppy/read-source.ts';
import {
  detailOf,
  itemOf,
  type RenderText,
  readToken,
  runEnvelope,
} from '../../library/puppy/run-formats.ts';
import type {
  Envelope,
  Limits,
  OwnerAnswer,
  QuestionName,
  RunCommands,
  RunItem,
  RunLogView,
  RunRequest,
  WorkflowSource,
} from '../../library/puppy/standalone.ts';
import { dataFolder } from '../../platform/data-folder.ts';
import { createHostSession, type HostSession } from '../host-call.ts';
import { connectHost } from '../host-client.ts';
import { commandFailure, refusedAnswer } from '../terminal.ts';
import { agentSteps } from './agent-steps.ts';

// Runs in the running host; they continue there after this command ends.

/** Runs per page. */
const longStep = 500;
/** First and maximum ms between polls. */
const firstLookMs = 20;
const longestLookMs = 400;

interface Host {
  readonly session: HostSession;
  readonly render: RenderText;
}

async function settled({ session, render }: Host, run: string, limits: Limits): Promise<Envelope> {
  const begun = performance.now();
  const { timeoutMs, patienceMs = 0, maxStdoutBytes, signal } = limits;
  for (let pause = firstLookMs; ; pause = Math.min(longestLookMs, pause * 1.5)) {
    const seen = await session.call('runs.get', { run });
    const told = runEnvelope(seen.run, seen.gates, seen.outputJson, render);
    const gone = performance.now() - begun;
    const stays =
      told?.ok === true && told.status === 'waiting' && (told.wakeAt ?? 0) - Date.now() < patienceMs - gone;
    if (told && !stays) return maxStdoutBytes === undefined ? told : fitPrintedEnvelope(told, maxStdoutBytes);
    if (signal?.aborted) return { ...waiting, runId: seen.run.id };
    if (timeoutMs !== undefined && gone >= timeoutMs)
      return tooLate({ session, render }, seen.run.id, timeoutMs);
    await sleep(pause);
  }
}

const waiting = {
  protocolVersion: 1,
  ok: true,
  status: 'waiting',
  output: [],
  requiresApproval: null,
  requiresInput: null,
} as const;

async function tooLate({ session, render }: Host, runId: string, ms: number): Promise<Envelope> {
  await session.client.call('runs.cancel', { run: runId });
  const message = render(say('workflows.puppyTimedOutCancelled', { timeoutMs: ms }));
  return { protocolVersion: 1, ok: false, error: { type: 'runtime_error', message }, runId };
}

function folderOf(cwd: string | undefined): string {
  if (cwd === undefined) return process.cwd();
  if (path.isAbsolute(cwd)) throw commandFailure('invalid_input', 'cliPuppy.relativeFolder');
  const folder = path.resolve(cwd);
  const inside = folder === process.cwd() || folder.startsWith(`${process.cwd()}${path.sep}`);
  if (!inside) throw commandFailure('invalid_input', 'cliPuppy.insideFolder');
  return folder;
}

function wishOf(source: WorkflowSource, request: RunRequest): MethodInput<'runs.start'> {
  const form = formOf(source);
  const cwd = folderOf(request.cwd);
  const key = request.idempotencyKey === undefined ? {} : { key: request.idempotencyKey };
  const { args, argsJson } = request;
  const given = argsJson === undefined ? { args: { ...args } } : { argsJson };
  const common = { ...given, cwd, ...key };
  if ('pipeline' in form && typeof form.pipeline === 'string') return { ...common, pipeline: form.pipeline };
  if ('file' in form && typeof form.file === 'string')
    return { ...common, file: path.resolve(cwd, form.file) };
  throw commandFailure('invalid_input', 'cliPuppy.giveWorkflow');
}

async function decide(host: Host, by: QuestionName, answer: OwnerAnswer, limits: Limits): Promise<Envelope> {
  const { session } = host;
  const gate = 'token' in by ? readToken(by.token) : null;
  if (answer.type === 'cancel_run') {
    if (!gate) throw commandFailure('invalid_input', 'cliPuppy.whichRunToEnd');
    const { runs } = await session.call('runs.list', { status: 'waiting', limit: 500 });
    const run = runs.find(({ gates }) => gates.includes(gate.gate));
    if (!run) throw commandFailure('not_found', 'cliPuppy.noSuchQuestion');
    await session.call('runs.cancel', { run: run.id });
    return settled(host, run.id, limits);
  }
  const decided = await session.client.call('runs.decide', { ...(gate ?? by), answer });
  if (!decided.ok) throw refusedAnswer(decided.error);
  return settled(host, decided.value.run.id, limits);
}

type RunQuery = Pick<MethodInput<'runs.list'>, 'status' | 'archived' | 'limit'>;

/** Newest first, page by page. */
async function* pastRuns(session: HostSession, query: RunQuery) {
  let before: string | undefined;
  do {
    const place = before === undefined ? {} : { before };
    const page = await session.call('runs.list', { ...query, ...place });
    yield* page.runs;
    before = page.hasMore ? page.runs.at(-1)?.id : undefined;
  } while (before !== undefined);
}

async function itemsOf(
  { session, render }: Host,
  { status, archived = false, limit }: Parameters<RunCommands['list']>[0],
): Promise<readonly RunItem[]> {
  // The host's status for runs with an open gate is `waiting`.
  const wanted = status?.startsWith('needs_') ? 'waiting' : status;
  const known = runStatuses.find((each) => each === wanted);
  const step = status === undefined ? Math.min(limit, longStep) : longStep;
  const items: RunItem[] = [];
  for await (const run of pastRuns(session, { archived, limit: step, ...(known && { status: known }) })) {
    const gates = run.gates.length === 0 ? [] : (await session.call('runs.get', { run: run.id })).gates;
    const item = itemOf(run, gates, render);
    if (status === undefined || item.status === status) items.push(item);
    if (items.length >= limit) break;
  }
  return items;
}

type LogRow = MethodOutput<'runs.log'>['events'][number];

const eventOf = (run: string, { seq, at, kind, json, previous }: LogRow): RunLogView['events'][number] => {
  const said = jsonValue(json) as object;
  return { run, seq, at, previous, event: { ...said, type: kind } as never };
};

async function wholeLog(session: HostSession, run: string): Promise<RunLogView> {
  const { id } = (await session.call('runs.get', { run })).run;
  const events: RunLogView['events'][number][] = [];
  let brokenAt: number | null = null;
  for (;;) {
    const after = events.at(-1)?.seq ?? 0;
    const part = await session.call('runs.log', { run: id, after, limit: 1_000 });
    events.push(...part.events.map((row) => eventOf(id, row)));
    brokenAt ??= part.brokenAt;
    if (!part.hasMore) return { id, events, brokenAt };
  }
}

async function allIds(session: HostSession): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of pastRuns(session, { limit: longStep })) ids.push(id);
  return ids;
}

/** `null` if no host runs for the data folder. */
export async function hostBackend(render: RenderText): Promise<RunCommands | null> {
  const home = dataFolder(process.env);
  const connection = await connectHost(home);
  if (!connection) return null;
  const session = createHostSession(connection, true);
  const host = { session, render };
  return {
    place: home,
    async run(source, request) {
      const started = await session.call('runs.start', wishOf(source, request));
      return settled(host, started.id, request);
    },
    answer: (by, answer, limits) => decide(host, by, answer, limits),
    goOn: (run, limits) => settled(host, run, limits),
    async cancel(run) {
      const { id } = await session.call('runs.cancel', { run });
      return settled(host, id, {});
    },
    async retry(run, limits) {
      const { id } = await session.call('runs.retry', { run });
      return settled(host, id, limits);
    },
    async again(run, wish, limits) {
      const from = wish.current || wish.from === null ? {} : { from: wish.from };
      const { id } = await session.call('runs.again', { run, current: wish.current, ...from });
      return settled(host, id, limits);
    },
    places: async (run, from) =>
      ok(await session.call('runs.places', { run, ...(from === null ? {} : { from }) })),
    list: (query) => itemsOf(host, query),
    archive: async (wish) => ok((await session.call('runs.archive', wish)).runs),
    async show(run) {
      const known = await session.call('runs.get', { run });
      return ok(detailOf(known, await agentSteps(session, known.steps), render));
    },
    async step(run, place) {
      const { stdout, json } = await session.call('runs.step', { run, path: place });
      return ok(stdout === '' ? json : stdout);
    },
    log: async (run) => ok(await wholeLog(session, run)),
    async export(run, file) {
      const { id } = (await session.call('runs.get', { run })).run;
      return ok({ id, ...(await session.call('runs.export', { run: id, path: file })) });
    },
    all: async () => ({ ids: await allIds(session), missing: null }),
    close: () => connection.close(),
  };
}
