/** The interface of a step kind: everything that a file of workflows needs to know about it. */
import type { EffectClass, Json, Step, StepKind } from '../definition.ts';
import type { StepFields } from '../fields.ts';
import type { ReadSteps } from '../read-gate.ts';
import type { Reader, SourcePlace } from '../reader.ts';
import type { TextCollector } from '../text-uses.ts';
import type { WriteSteps, WrittenFields } from '../write-fields.ts';

export interface StepContext {
  readonly reader: Reader;
  readonly path: string;
  readonly place: SourcePlace;
  readonly readSteps: ReadSteps;
}

type BaseKey =
  | 'id'
  | 'path'
  | 'when'
  | 'retry'
  | 'timeoutMs'
  | 'onError'
  | 'effect'
  | 'idempotencyKey'
  | 'stdin'
  | 'env'
  | 'cwd';

export type StepOf<Kind extends StepKind> = Extract<Step, { kind: Kind }>;
/** Fields of one kind; the step reader adds the common ones. */
export type PartOf<Kind extends StepKind> = Kind extends StepKind ? Omit<StepOf<Kind>, BaseKey> : never;
export type StepPart = PartOf<StepKind>;
/** A step of kind `approval` has no work. */
export type WorkPart<Kind extends StepKind> = PartOf<Exclude<Kind, 'approval'>>;

type FieldName = keyof StepFields;

/** Fields that mean something on some kinds only, in the order in which a misplaced one is reported. */
export const optionalFields = [
  'steps',
  'item_var',
  'index_var',
  'batch_size',
  'pause_ms',
  'workflow_args',
  'stdin',
  'retry',
  'cwd',
  'env',
  'timeout',
  'timeout_ms',
  'idempotency_key',
] as const satisfies readonly FieldName[];
export type OptionalField = (typeof optionalFields)[number];

/** Fields of every kind that does work and may fail. */
export const timedFields = ['retry', 'timeout', 'timeout_ms'] as const;

export interface StepChildren {
  readonly branch: string;
  readonly steps: readonly Step[];
}

/** JSON schema of a step, and where the file names it. */
export interface StepSchema {
  readonly value: Json;
  readonly field: string;
  readonly name: string;
}

export interface StepKindRules<Kind extends StepKind> {
  /** Fields that give a step this kind; a step has at most one of all kinds. */
  readonly keys: readonly FieldName[];
  /** Which of `optionalFields` mean something on this kind. */
  readonly takes: readonly OptionalField[];
  /** Keys of the file below which the kind has steps, in every spelling. */
  readonly containers?: readonly string[];
  /** The effect class unless the file names another. */
  effectOf(part: PartOf<Kind>): EffectClass;
  /** Called only if one of `keys` is given. */
  read(context: StepContext, fields: StepFields): WorkPart<Kind> | null;
  /** The kind's own fields in one spelling; reading them gives the same part. */
  write(step: StepOf<Kind>, writeSteps: WriteSteps): WrittenFields;
  /** Every text and reference of the kind's own fields, without the nested steps. */
  collect?(step: StepOf<Kind>, to: TextCollector): void;
  /** Steps below it by branch, without those of its gate; empty branches count for nothing. */
  children?(step: StepOf<Kind>): readonly StepChildren[];
  schema?(step: StepOf<Kind>): StepSchema;
  /** The command or prompt as written; empty for blocks and gates. */
  summarize?(step: StepOf<Kind>): string;
}
