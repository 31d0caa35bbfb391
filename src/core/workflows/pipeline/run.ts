/**
 * Runs stages until the end or the next gate. Items flow one by one: a stage takes the next only when somebody behind it
 * wants it, and what ends early ends everything in front of it. Nothing runs behind a gate before `afterAnswer`.
 */
import { appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { utf8 } from '../../lib/bytes.ts';
import { checkAgainst } from '../../loop/json-schema.ts';
import type { PreparedStage } from './check.ts';
import {
  type Items,
  type PipelineHalt,
  type ShowFormat,
  type StageContext,
  StageFailure,
} from './command.ts';
import { commands } from './command-table.ts';
import { type JsonValue, stringifyExact } from './exact-json.ts';
import type { PipelinePorts } from './pipeline-ports.ts';

export interface PipelineRun {
  readonly stages: readonly PreparedStage[];
  /** The stage to begin with, counted from 0: behind a gate its `next`. */
  readonly from?: number;
  readonly input?: AsyncIterable<JsonValue> | Iterable<JsonValue>;
  readonly ports: PipelinePorts;
  readonly signal: AbortSignal;
  /** Most bytes of JSON of the items that come out at the end, counted while they come. */
  readonly maxOutput?: number;
}

export type PipelineEnd =
  | { readonly kind: 'done'; readonly items: readonly JsonValue[]; readonly show: ShowFormat | null }
  | {
      readonly kind: 'halted';
      readonly halt: PipelineHalt;
      /** The gate, and the stage behind it, both counted from 0. */
      readonly stage: number;
      readonly next: number;
    };

async function* source(input: NonNullable<PipelineRun['input']>): Items {
  yield* input;
}

/** The stage with its place on every failure of its own, ended between two items by the signal. */
async function* guarded(items: Items, number: number, name: string, signal: AbortSignal): Items {
  try {
    for await (const item of items) {
      if (signal.aborted) throw new StageFailure(appError('cancelled', 'The pipeline was cancelled.'));
      yield item;
    }
  } catch (error) {
    if (!(error instanceof StageFailure) || error.error.where !== undefined) throw error;
    throw new StageFailure({ ...error.error, where: `stage ${number}, ${name}` });
  }
}

/** The first gate from `from` on; the number of stages when there is none. */
function nextGate(stages: readonly PreparedStage[], from: number): number {
  const found = stages.findIndex(({ run }, index) => index >= from && run.kind === 'gate');
  return found < 0 ? stages.length : found;
}

function chain({ stages, from = 0, input = [], signal, ports }: PipelineRun, end: number): Items {
  const context: StageContext = { ports, signal, commands };
  let items = source(input);
  for (const [offset, { command, run }] of stages.slice(from, end).entries()) {
    if (run.kind === 'flow') {
      items = guarded(run.run(items, context), from + offset + 1, command.name, signal);
    }
  }
  return items;
}

const exceeded = (bytes: number): string =>
  `puppy output exceeded maxStdoutBytes (${bytes}). The pipeline was stopped.`;

/** Bytes of the items that a gate holds back: they are no output, and a question shows a part of them. */
const maxHeld = 8 * 1024 * 1024;

async function gather(items: Items, { signal, maxOutput }: PipelineRun): Promise<JsonValue[]> {
  const all: JsonValue[] = [];
  let length = 0;
  for await (const item of items) {
    if (signal.aborted) break;
    if (maxOutput !== undefined) {
      length += utf8(stringifyExact(item)).length;
      if (length > maxOutput) throw new StageFailure(appError('too_large', exceeded(maxOutput)));
    }
    all.push(item);
  }
  return all;
}

export async function runPipeline(run: PipelineRun): Promise<Result<PipelineEnd>> {
  const { stages, from = 0, signal } = run;
  const gate = nextGate(stages, from);
  const cancelled = err(appError('cancelled', 'The pipeline was cancelled.'));
  if (signal.aborted) return cancelled;
  try {
    const waits = gate < stages.length && run.maxOutput !== undefined;
    const limits = waits ? { ...run, maxOutput: Math.max(maxHeld, run.maxOutput ?? 0) } : run;
    const items = await gather(chain(run, gate), limits);
    if (signal.aborted) return cancelled;
    const halting = stages[gate]?.run;
    if (halting?.kind === 'gate') {
      return ok({ kind: 'halted', halt: halting.halt(items), stage: gate, next: gate + 1 });
    }
    const shows = stages.flatMap((stage) => (stage.run.kind === 'show' ? [stage.run.format] : []));
    return ok({ kind: 'done', items, show: shows.at(-1) ?? null });
  } catch (error) {
    if (error instanceof StageFailure) return err(error.error);
    throw error;
  }
}

/**
 * What goes into the stage behind a gate: the items that were approved, by nothing but a true yes; or the answer alone, when
 * it fits (or can be made to fit) the schema it was asked by. Whoever decides has checked this before; here nothing gets
 * past a gate by mistake.
 */
export function afterAnswer(halt: PipelineHalt, answer: JsonValue): Result<readonly JsonValue[]> {
  if (halt.kind === 'approval') {
    return answer === true ? ok(halt.items) : err(appError('cancelled', 'It was not approved.'));
  }
  const { value, issues } = checkAgainst(halt.schema, answer);
  const [first] = issues;
  if (first === undefined) return ok([value as JsonValue]);
  const where = first.path === '(arguments)' ? 'it' : first.path;
  return err(
    appError('invalid_input', `The answer breaks the schema of the question: ${where} ${first.message}.`),
  );
}
