/**
 * A workflow file, read, checked and normalised: what a run is pinned to. Plain JSON data throughout, so that it can be
 * stored, hashed and read back; defaults are filled in, spellings are one, nothing is left to guess while running.
 */

/** A bigint is a whole number that a double cannot hold: what steps leave keeps every digit. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * `$collect.json.0.name` is step `collect`, path `['json', '0', 'name']`. `$item` alone (empty path) exists only for the
 * variables of a loop, whose value stands where a step has its result: `$item.json.x` and `$item.x` mean the same.
 */
export interface Ref {
  readonly step: string;
  readonly path: readonly string[];
}

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `${name}`; `${raw:name}` is raw: pasted into shell text as it is. */
  | { readonly kind: 'arg'; readonly name: string; readonly raw: boolean }
  /** `$id.path`; `${raw:$id.path}` is raw. */
  | { readonly kind: 'ref'; readonly ref: Ref; readonly raw: boolean };

export type Template = readonly TemplatePart[];

/** A value with templates at its leaves: the arguments handed to another workflow. */
export type ValueTemplate =
  | { readonly kind: 'value'; readonly value: Json }
  /** The whole text was one reference: the value itself, not its text. */
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
  /** Tries altogether, the first one included. */
  readonly attempts: number;
  readonly backoff: 'fixed' | 'exponential';
  readonly delayMs: number;
  readonly maxDelayMs: number;
  readonly jitter: boolean;
}

/** What follows a rejection or an expiry. `steps` run first, then the run ends or goes on. */
export interface Outcome {
  readonly steps: readonly Step[];
  readonly then: 'cancel' | 'continue' | 'fail';
}

export interface ApproverPolicy {
  /** Empty: anybody who may decide at all. */
  readonly named: readonly string[];
  /** How many different people must agree; never more than are named. */
  readonly needed: number;
  /** Who started the run may not approve; an unknown initiator refuses everybody. */
  readonly notInitiator: boolean;
}

interface Waiting {
  readonly prompt: Template;
  readonly expiresMs: number;
  /** Null: no reminder. Always before the expiry. */
  readonly remindMs: number | null;
  readonly approvers: ApproverPolicy;
  readonly onReject: Outcome;
  readonly onTimeout: Outcome;
}

/** A yes or no. With a command on the same step the command runs first, and its output makes the preview. */
export interface ApprovalGate extends Waiting {
  readonly items: ValueTemplate | null;
  readonly preview: Template | null;
  /** Shown only; who really started the run is told by whoever starts it. */
  readonly initiatedBy: string | null;
}

/** A structured answer; `schema` is a JSON schema. */
export interface InputGate extends Waiting {
  readonly schema: Json;
  readonly defaults: Json;
}

export type StdinSource =
  | { readonly kind: 'ref'; readonly ref: Ref }
  | { readonly kind: 'template'; readonly template: Template };

interface StepBase {
  /** Unique in the whole file, over branches and loops. */
  readonly id: string;
  /**
   * The stable place of the step: `deploy`, `loop[].send`, `both.left`, `gate.on_reject.undo`, `ask.fallback.rule`. A run
   * puts its index into each `[]` in turn: `loop[3].send`.
   */
  readonly path: string;
  readonly when: Condition | null;
  readonly retry: Retry;
  /** Per attempt; null: the default of the engine. */
  readonly timeoutMs: number | null;
  readonly onError: OnError;
  readonly effect: EffectClass;
  /** Null: the engine makes one of run and path. */
  readonly idempotencyKey: Template | null;
  readonly stdin: StdinSource | null;
  readonly env: { readonly [name: string]: Template };
  readonly cwd: Template | null;
  /** A gate after the step's own work; a step of kind `approval` has it, too. */
  readonly approval: ApprovalGate | null;
}

export type Step =
  | (StepBase & { readonly kind: 'run'; readonly shell: Template })
  | (StepBase & { readonly kind: 'pipeline'; readonly pipeline: Template })
  | (StepBase & {
      readonly kind: 'agent';
      /** Null: any agent. */
      readonly agent: Template | null;
      readonly goal: Template;
      /** The JSON schema of the result; null: any. */
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
      /** Run instead when no answer fits the schema or the budget; empty: the step fails. */
      readonly fallback: readonly Step[];
    })
  | (StepBase & {
      readonly kind: 'workflow';
      /** Relative to the file that names it. */
      readonly file: string;
      readonly args: { readonly [name: string]: ValueTemplate };
    })
  | (StepBase & { readonly kind: 'approval'; readonly approval: ApprovalGate })
  | (StepBase & { readonly kind: 'input'; readonly input: InputGate })
  | (StepBase & {
      readonly kind: 'parallel';
      readonly branches: readonly Step[];
      /** any: the first success; the step fails only when every branch did. */
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
        /** An RFC 3339 time; the text may come from a step. */
        | { readonly kind: 'time'; readonly at: Template };
    });

export type StepKind = Step['kind'];

export interface ArgDefinition {
  readonly type: 'any' | 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';
  readonly description: string | null;
  /** Absent: the argument must be given. */
  readonly default?: Json;
  /** Null: any value of the type. */
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
  /** The whole run without the time it waits for people and timers; null: the caller's limit. */
  readonly timeoutMs: number | null;
  readonly costLimit: { readonly maxUsd: number; readonly action: 'warn' | 'stop' } | null;
  readonly steps: readonly Step[];
}

/** What a finished step left; the parts a reference may name. */
export interface StepResult {
  readonly stdout?: string;
  /** The parsed output, when it was JSON. */
  readonly json?: Json;
  readonly approved?: boolean;
  readonly approvedBy?: string;
  /** Of a no, in the words of whoever said it. */
  readonly reason?: string;
  readonly initiatedBy?: string;
  readonly skipped?: boolean;
  readonly error?: boolean;
  readonly errorMessage?: string;
  readonly subject?: Json;
  readonly response?: Json;
}

/** What templates and conditions may see at one place of a run. */
export interface Scope {
  readonly args: { readonly [name: string]: Json };
  /** By step id; own properties only count. */
  readonly steps: { readonly [id: string]: StepResult };
  /** The loop's item and index by their names. */
  readonly loop: { readonly [name: string]: Json };
}

export const resultFields = [
  'stdout',
  'json',
  'approved',
  'approvedBy',
  'reason',
  'initiatedBy',
  'skipped',
  'error',
  'errorMessage',
  'subject',
  'response',
] as const satisfies readonly (keyof StepResult)[];

/** The steps directly below one, with the branch they belong to. */
export function childrenOf(
  step: Step,
): readonly { readonly branch: string; readonly steps: readonly Step[] }[] {
  const children: { branch: string; steps: readonly Step[] }[] = [];
  const gate = step.kind === 'input' ? step.input : step.approval;
  if (step.kind === 'parallel') children.push({ branch: 'parallel', steps: step.branches });
  if (step.kind === 'for_each') children.push({ branch: 'for_each', steps: step.steps });
  if (step.kind === 'llm-task') children.push({ branch: 'fallback', steps: step.fallback });
  if (gate) {
    children.push({ branch: 'on_reject', steps: gate.onReject.steps });
    children.push({ branch: 'on_timeout', steps: gate.onTimeout.steps });
  }
  return children.filter(({ steps }) => steps.length > 0);
}

/** `loop[].send` in round 3 is `loop[3].send`: the outermost loop's index first. */
export function placeOf(path: string, indexes: readonly number[]): string {
  let used = 0;
  return path.replace(/\[\]/g, (open) => {
    const index = indexes[used];
    used += 1;
    return index === undefined ? open : `[${index}]`;
  });
}
