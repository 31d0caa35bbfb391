/**
 * What a command of a pipeline is: what it declares (the table that models read and the check goes by) and what becomes of
 * it once its words are known to be right.
 */
import type { AppError, ErrorCode } from '../../../contract/errors.ts';
import { appError } from '../../../contract/errors.ts';
import type { Result } from '../../../contract/result.ts';
import type { JsonRecord, JsonValue } from './exact-json.ts';
import type { PipelinePorts } from './pipeline-ports.ts';

export type FlagType = 'switch' | 'text' | 'count' | 'number' | 'json' | 'record' | 'choice';

export interface Flag {
  readonly name: string;
  readonly type: FlagType;
  readonly description: string;
  readonly required?: boolean;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** Refused where an agent wrote the pipeline: it would choose an address, a secret or whose session it is. */
  readonly ownerOnly?: boolean;
}

export interface Words {
  readonly name: string;
  readonly description: string;
  readonly min: number;
  readonly max: number;
}

/** pure: no effect; idempotent: may run again; once: after a crash a person is asked. */
export type StageEffect = 'pure' | 'idempotent' | 'once';
export type SideEffect =
  | 'runs_programs'
  | 'writes_state'
  | 'calls_tools'
  | 'asks_model'
  | 'asks_person'
  | 'reads_files';

/** Read and checked by type; `words` are those that belong to no flag. */
export interface StageArguments {
  has(flag: string): boolean;
  text(flag: string): string | null;
  number(flag: string): number | null;
  json(flag: string): JsonValue | undefined;
  record(flag: string): JsonRecord | null;
  readonly words: readonly string[];
}

export interface StageProblem {
  readonly message: string;
  readonly hint?: string;
  /** The positional word it is about, counted from 0; absent: the command. */
  readonly word?: number;
}

export interface StageContext {
  readonly ports: PipelinePorts;
  readonly signal: AbortSignal;
  /** The table itself, for commands.list. */
  readonly commands: readonly Command[];
}

export type Items = AsyncIterable<JsonValue>;

/** Where a pipeline stops until somebody has answered. */
export type PipelineHalt =
  | {
      readonly kind: 'approval';
      readonly prompt: string;
      /** They go on after a yes. */
      readonly items: readonly JsonValue[];
      /** Null: none was asked for. Else the first `limit` items as text. */
      readonly preview: string | null;
      readonly limit: number;
    }
  | {
      readonly kind: 'input';
      readonly prompt: string;
      /** A JSON schema; the answer becomes the only item. */
      readonly schema: JsonRecord;
      readonly subject: JsonValue;
      readonly items: readonly JsonValue[];
    };

export type StageRun =
  | { readonly kind: 'flow'; run(items: Items, context: StageContext): Items }
  | { readonly kind: 'gate'; halt(items: readonly JsonValue[]): PipelineHalt }
  /** Lets everything pass, and says how people are shown the result. */
  | { readonly kind: 'show'; readonly format: ShowFormat };

export type ShowFormat = 'json' | 'table';

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly flags: readonly Flag[];
  readonly words: Words | null;
  /** Flags end at the first word: everything behind it belongs to another program. */
  readonly flagsFirst?: boolean;
  readonly examples: readonly string[];
  readonly sideEffects: readonly SideEffect[];
  readonly effect: StageEffect;
  prepare(args: StageArguments): Result<StageRun, StageProblem>;
}

/** How a stage that runs gives up; `runPipeline` makes a result of it. Iterators have no other way to end early. */
export class StageFailure extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.error = error;
  }
}

export const fail = (code: ErrorCode, message: string, hint?: string): never => {
  throw new StageFailure(appError(code, message, hint === undefined ? {} : { hint }));
};

/** The value, or the end of the stage. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new StageFailure(result.error);
  return result.value;
}

export async function collect(items: Items): Promise<JsonValue[]> {
  const all: JsonValue[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** For effects that take no items: what stands before has still to run. */
export async function drain(items: Items): Promise<void> {
  for await (const _ of items) {
    // Nothing takes it.
  }
}

/** One item is itself; none or several are a list. */
export const oneOrList = (items: readonly JsonValue[]): JsonValue =>
  items.length === 1 && items[0] !== undefined ? items[0] : items;
