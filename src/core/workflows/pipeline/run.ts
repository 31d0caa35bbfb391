/**
 * Runs stages until the end or the next gate. Items stream one by one on demand, and a stage that ends early
 * ends all previous ones. Nothing after a gate runs before `afterAnswer`.
 */
import { appError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
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
import { pipelineCommands } from './command-table.ts';
import { type JsonValue, stringifyExact } from './exact-json.ts';
import type { PipelinePorts } from './pipeline-ports.ts';

export interface PipelineRun {
  readonly stages: readonly PreparedStage[];
  /** Index of the first stage, from 0: `next` of the gate when resuming. */
  readonly from?: number;
  readonly input?: AsyncIterable<JsonValue> | Iterable<JsonValue>;
  readonly ports: PipelinePorts;
  readonly signal: AbortSignal;
  /** Most bytes of JSON of the output items, counted as they arrive. */
  readonly maxOutput?: number;
}

export type PipelineEnd =
  | { readonly kind: 'done'; readonly items: readonly JsonValue[]; readonly show: ShowFormat | null }
  | {
      readonly kind: 'halted';
      readonly halt: PipelineHalt;
      /** Indexes of the gate and of the stage after it, from 0. */
      readonly stage: number;
      readonly next: number;
    };

async function* source(input: NonNullable<PipelineRun['input']>): Items {
  yield* input;
}

/** Adds the stage to each failure, and stops between two items on abort. */
async function* guarded(items: Items, number: number, name: string, signal: AbortSignal): Items {
  try {
    for await (const item of items) {
      if (signal.aborted) throw new StageFailure(fail('cancelled', 'pipelines.pipelineCancelled'));
      yield item;
    }
  } catch (error) {
    if (!(error instanceof StageFailure) || error.error.where !== undefined) throw error;
    throw new StageFailure({ ...error.error, where: `stage ${number}, ${name}` });
  }
}

/** First gate at or after `from`; the number of stages if none. */
function nextGate(stages: readonly PreparedStage[], from: number): number {
  const found = stages.findIndex(({ run }, index) => index >= from && run.kind === 'gate');
  return found < 0 ? stages.length : found;
}

function chain({ stages, from = 0, input = [], signal, ports }: PipelineRun, end: number): Items {
  const context: StageContext = { ports, signal, commands: pipelineCommands };
  let items = source(input);
  for (const [offset, { command, run }] of stages.slice(from, end).entries()) {
    if (run.kind === 'flow') {
      items = guarded(run.run(items, context), from + offset + 1, command.name, signal);
    }
  }
  return items;
}

const exceeded = (bytes: number): HostMessage => say('pipelines.puppyOutputTooLarge', { n: bytes });

/** Most bytes of items that a gate holds: they are no output, and a question shows only a part of them. */
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
  const cancelled = err(fail('cancelled', 'pipelines.pipelineCancelled'));
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
 * Input of the stage after a gate: the approved items, only for exactly `true`; or the answer, if it fits (or
 * can be coerced to) the schema. The caller has checked this before; this check keeps a mistake from passing
 * the gate.
 */
export function afterAnswer(halt: PipelineHalt, answer: JsonValue): Result<readonly JsonValue[]> {
  if (halt.kind === 'approval') {
    return answer === true ? ok(halt.items) : err(fail('cancelled', 'pipelines.notApproved'));
  }
  const { value, issues } = checkAgainst(halt.schema, answer);
  const [first] = issues;
  if (first === undefined) return ok([value as JsonValue]);
  const where = first.path === '(arguments)' ? 'it' : first.path;
  return err(fail('invalid_input', 'pipelines.answerBreaksSchema', { where, why: first.message }));
}
