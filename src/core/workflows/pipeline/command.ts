/**
 * Interface of a pipeline command: its declaration (the table that models read and the check uses) and its
 * factory for a runnable stage.
 */
import type { AppError, ErrorCode } from '../../../contract/errors.ts';
import { textError } from '../../../contract/errors.ts';
import type { Result } from '../../../contract/result.ts';
import type { HostText } from '../../../language/host-message.ts';
import type { ExactJsonRecord, JsonValue } from './exact-json.ts';
import type { PipelinePorts } from './pipeline-ports.ts';

export type FlagType = 'switch' | 'text' | 'count' | 'number' | 'json' | 'record' | 'choice';

export interface Flag {
  readonly name: string;
  readonly type: FlagType;
  /** A message if the check of a pipeline says it to people. */
  readonly description: HostText;
  readonly required?: boolean;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** Refused in a pipeline that an agent wrote, because it chooses an address, a secret or a session. */
  readonly ownerOnly?: boolean;
}

export interface CommandArguments {
  readonly name: HostText;
  readonly description: HostText;
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

/** Arguments, read and checked by type; `words` are the positional ones. */
export interface StageArguments {
  has(flag: string): boolean;
  text(flag: string): string | null;
  number(flag: string): number | null;
  json(flag: string): JsonValue | undefined;
  record(flag: string): ExactJsonRecord | null;
  readonly words: readonly string[];
}

export interface StageProblem {
  readonly message: HostText;
  readonly hint?: HostText;
  /** Index of the positional word that it concerns, from 0; absent for the command. */
  readonly word?: number;
}

export interface StageContext {
  readonly ports: PipelinePorts;
  readonly signal: AbortSignal;
  /** The command table, for `commands.list`. */
  readonly commands: readonly PipelineCommand[];
}

export type Items = AsyncIterable<JsonValue>;

/** Halt of a pipeline until a person answers. */
export type PipelineHalt =
  | {
      readonly kind: 'approval';
      readonly prompt: string;
      /** Passed on after an approval. */
      readonly items: readonly JsonValue[];
      /** `null` if no preview was requested; otherwise the first `limit` items as text. */
      readonly preview: string | null;
      readonly limit: number;
    }
  | {
      readonly kind: 'input';
      readonly prompt: string;
      /** JSON schema; the answer becomes the only item. */
      readonly schema: ExactJsonRecord;
      readonly subject: JsonValue;
      readonly items: readonly JsonValue[];
    };

export type StageRun =
  | { readonly kind: 'flow'; run(items: Items, context: StageContext): Items }
  | { readonly kind: 'gate'; halt(items: readonly JsonValue[]): PipelineHalt }
  /** Passes all items through, and selects how people see the result. */
  | { readonly kind: 'show'; readonly format: ShowFormat };

export type ShowFormat = 'json' | 'table';

export interface PipelineCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly flags: readonly Flag[];
  readonly words: CommandArguments | null;
  /** Flags end at the first word; everything after it belongs to another program. */
  readonly flagsFirst?: boolean;
  readonly examples: readonly string[];
  readonly sideEffects: readonly SideEffect[];
  readonly effect: StageEffect;
  prepare(args: StageArguments): Result<StageRun, StageProblem>;
}

/** Ends a running stage early, because iterators have no other way; `runPipeline` turns it into a result. */
export class StageFailure extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.error = error;
  }
}

export const failCommand = (code: ErrorCode, message: HostText, hint?: HostText): never => {
  throw new StageFailure(textError(code, message, { hint }));
};

/** Returns the value, or ends the stage. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new StageFailure(result.error);
  return result.value;
}

export async function collect(items: Items): Promise<JsonValue[]> {
  const all: JsonValue[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Runs the previous stages to the end, for effects that take no items. */
export async function drain(items: Items): Promise<void> {
  for await (const _ of items) {
    // Items are discarded.
  }
}

/** One item is itself; none or several become a list. */
export const oneOrList = (items: readonly JsonValue[]): JsonValue =>
  items.length === 1 && items[0] !== undefined ? items[0] : items;
