/**
 * A parsed, checked and normalised workflow file, to which a run is pinned. Plain JSON data throughout, so
 * that it can be stored, hashed and read back, with defaults filled in and one spelling.
 */
import { stepResults } from '../../../contract/workflow-fields.ts';

/** A bigint is a whole number that a double cannot hold, so step results keep every digit. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * `$collect.json.0.name` is step `collect`, path `['json', '0', 'name']`. An empty path (`$item`) exists only
 * for loop variables, whose value takes the place of a step result: `$item.json.x` and `$item.x` mean the
 * same.
 */
export interface Ref {
  readonly step: string;
  readonly path: readonly string[];
}

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `${name}`; `${raw:name}` is raw: pasted into shell text unquoted. */
  | { readonly kind: 'arg'; readonly name: string; readonly raw: boolean }
  /** `$id.path`; `${raw:$id.path}` is raw. */
  | { readonly kind: 'ref'; readonly ref: Ref; readonly raw: boolean };

export type Template = readonly TemplatePart[];

/** Value with templates at its leaves: the arguments of another workflow. */
export type ValueTemplate =
  | { readonly kind: 'value'; readonly value: Json }
  /** The whole text is one reference: it yields the value itself, not its text. */
  | { readonly kind: 'ref'; readonly ref: Ref }
  | { readonly kind: 'arg'; readonly name: string }
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly ValueTemplate[] }
  | { readonly kind: 'object'; readonly fields: { readonly [key: string]: ValueTemplate } };

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'or' | 'and'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly operand: Condition }
  | {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly left: Condition;
      readonly right: Condition;
    }
  | { readonly kind: 'ref'; readonly ref: Ref }
  | { readonly kind: 'value'; readonly value: string | number | bigint | boolean | null };

/** pure: no effect; idempotent: may run again with its key; once: after a crash a person is asked. */
export type EffectClass = 'pure' | 'idempotent' | 'once';
export type OnError = 'stop' | 'continue' | 'skip_rest';

export interface Retry {
  /** All attempts, the first one included. */
  readonly attempts: number;
  readonly backoff: 'fixed' | 'exponential';
  readonly delayMs: number;
  readonly maxDelayMs: number;
  readonly jitter: boolean;
}

/** Outcome of a rejection or an expiry: `steps` run first, then the run ends or continues. */
export interface Outcome {
  readonly steps: readonly Step[];
  readonly then: 'cancel' | 'continue' | 'fail';
}

export interface ApproverPolicy {
  /** Empty if any approver may decide. */
  readonly named: readonly string[];
  /** Number of different people who must agree; never more than are named. */
  readonly needed: number;
  /** The initiator may not approve; an unknown initiator excludes every approver. */
  readonly notInitiator: boolean;
}

interface Waiting {
  readonly prompt: Template;
  readonly expiresMs: number;
  /** `null` if no reminder is sent. Always before the expiry. */
  readonly remindMs: number | null;
  readonly approvers: ApproverPolicy;
  readonly onReject: Outcome;
  readonly onTimeout: Outcome;
}

/**
 * Yes-or-no question. With a command on the same step, the command runs first and its output is the preview.
 */
export interface YesNoGate extends Waiting {
  readonly items: ValueTemplate | null;
  readonly preview: Template | null;
  /** For display only; the host determines the real initiator. */
  readonly initiatedBy: string | null;
}

/** Question with a structured answer; `schema` is a JSON schema. */
export interface InputGate extends Waiting {
  readonly schema: Json;
  readonly defaults: Json;
}

export type StdinSource =
  | { readonly kind: 'ref'; readonly ref: Ref }
  | { readonly kind: 'template'; readonly template: Template };

interface StepBase {
  /** Unique in the whole file, across branches and loops. */
  readonly id: string;
  /**
   * Stable path of the step: `deploy`, `loop[].send`, `both.left`, `gate.on_reject.undo`,
   * `ask.fallback.rule`. A run puts its index into each `[]` in turn: `loop[3].send`.
   */
  readonly path: string;
  readonly when: Condition | null;
  readonly retry: Retry;
  /** Per attempt; `null` for the default of the engine. */
  readonly timeoutMs: number | null;
  readonly onError: OnError;
  readonly effect: EffectClass;
  /** `null` if the engine derives one from run and path. */
  readonly idempotencyKey: Template | null;
  readonly stdin: StdinSource | null;
  readonly env: { readonly [name: string]: Template };
  readonly cwd: Template | null;
  /** Gate after the step's own work; a step of kind `approval` has one, too. */
  readonly approval: YesNoGate | null;
}

export type Step =
  | (StepBase & { readonly kind: 'run'; readonly shell: Template })
  | (StepBase & { readonly kind: 'pipeline'; readonly pipeline: Template })
  | (StepBase & {
      readonly kind: 'agent';
      /** `null` if any agent may run it. */
      readonly agent: Template | null;
      readonly goal: Template;
      /** JSON schema of the result; `null` for any result. */
      readonly schema: Json;
      readonly maxUsd: number | null;
    })
  | (StepBase & {
      readonly kind: 'llm-task';
      readonly prompt: Template;
      readonly input: ValueTemplate | null;
      readonly schema: Json;
      readonly provider: string | null;
      readonly model: string | null;
      readonly temperature: number | null;
      readonly maxTokens: number | null;
      readonly maxUsd: number | null;
      /** Runs if no answer fits the schema or the budget; if empty, the step fails. */
      readonly fallback: readonly Step[];
    })
  | (StepBase & {
      readonly kind: 'workflow';
      /** Relative to the file that names it. */
      readonly file: string;
      readonly args: { readonly [name: string]: ValueTemplate };
    })
  | (StepBase & { readonly kind: 'approval'; readonly approval: YesNoGate })
  | (StepBase & { readonly kind: 'input'; readonly input: InputGate })
  | (StepBase & {
      readonly kind: 'parallel';
      readonly branches: readonly Step[];
      /** any: the first success counts; the step fails only if every branch fails. */
      readonly wait: 'all' | 'any';
    })
  | (StepBase & {
      readonly kind: 'for_each';
      readonly items: Ref | { readonly step: null; readonly arg: string };
      readonly steps: readonly Step[];
      readonly itemVar: string;
      readonly indexVar: string;
      /** Rounds between two pauses. */
      readonly batchSize: number;
      readonly pauseMs: number;
    })
  | (StepBase & {
      readonly kind: 'sleep';
      readonly until:
        | { readonly kind: 'for'; readonly ms: number }
        /** RFC 3339 time; the text may come from a step. */
        | { readonly kind: 'time'; readonly at: Template };
    });

export type StepKind = Step['kind'];

export interface ArgDefinition {
  readonly type: 'any' | 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';
  readonly description: string | null;
  /** Absent if the argument is required. */
  readonly default?: Json;
  /** `null` if any value of the type is allowed. */
  readonly values: readonly Json[] | null;
}

export interface WorkflowDefinition {
  readonly format: 1;
  readonly name: string | null;
  readonly description: string | null;
  readonly args: { readonly [name: string]: ArgDefinition };
  readonly extraArgs: boolean;
  readonly env: { readonly [name: string]: Template };
  readonly cwd: Template | null;
  /**
   * Limit of the whole run without the time it waits for people and timers; `null` for the caller's limit.
   */
  readonly timeoutMs: number | null;
  readonly costLimit: { readonly maxUsd: number; readonly action: 'warn' | 'stop' } | null;
  readonly steps: readonly Step[];
}

/** Result of a finished step: the fields that a reference may name. */
export interface StepResult {
  readonly stdout?: string;
  /** Parsed output, if it is JSON. */
  readonly json?: Json;
  readonly approved?: boolean;
  readonly approvedBy?: string;
  /** Reason of a rejection, as the approver wrote it. */
  readonly reason?: string;
  readonly initiatedBy?: string;
  readonly skipped?: boolean;
  readonly error?: boolean;
  readonly errorMessage?: string;
  readonly subject?: Json;
  readonly response?: Json;
}

/** Values that templates and conditions may read at one step of a run. */
export interface TemplateScope {
  readonly args: { readonly [name: string]: Json };
  /** By step id; only own properties count. */
  readonly steps: { readonly [id: string]: StepResult };
  /** Item and index of the loop by their variable names. */
  readonly loop: { readonly [name: string]: Json };
}

export const resultFields = stepResults satisfies readonly (keyof StepResult)[];

/** `loop[].send` in round 3 is `loop[3].send`: the outermost loop's index first. */
export function stepPlace(path: string, indexes: readonly number[]): string {
  let used = 0;
  return path.replace(/\[\]/g, (open) => {
    const index = indexes[used];
    used += 1;
    return index === undefined ? open : `[${index}]`;
  });
}
