/**
 * Port through which agents start workflows and read their results, within their own permissions. An agent
 * gets no token, so only a person can answer a gate.
 */
import type { Result } from '../../contract/result.ts';
import type { Spent } from '../models/usage.ts';
import type { ToolCallContext } from '../tools/tool.ts';
import type { Envelope } from './engine/envelope.ts';
import type { Json } from './file/definition.ts';
import type { ModelTask } from './model-step.ts';

export interface PuppyWish {
  /** Pipeline text, or path of a workflow file. */
  readonly pipeline: string;
  /** JSON object; for files only. */
  readonly argsJson: string;
  /** Below the agent's folders; empty for its workspace. */
  readonly cwd: string;
}

export interface PuppyLook {
  readonly name: string;
  /** Full source, as it would run. */
  readonly source: string;
  /** SHA-256 of the source in hex: an approval covers exactly this source. */
  readonly digest: string;
  readonly cwd: string;
  /** Starts programs or hands work to agents. */
  readonly acts: boolean;
  /** Written by the agent itself, without any of the operator's files. */
  readonly ownWords: boolean;
}

export interface PuppyTold {
  readonly envelope: Envelope;
  /** Id of the run if it has not ended and waits for a person or a time; otherwise `null`. */
  readonly awaits: string | null;
}

/** One question to the agent's own model, which has no tools and answers in JSON. */
export type StepModelWish = Pick<ModelTask, 'prompt' | 'input' | 'schema' | 'maxTokens' | 'maxUsd'>;

export interface ModelTold {
  readonly answer: Result<Json>;
  /** Already booked, even if the call failed. */
  readonly used: Spent;
}

export interface PuppyLimits {
  readonly timeoutMs: number;
  readonly maxStdoutBytes: number;
}

export interface PuppyRuns {
  /** Reads the source once; `run` of the same call runs exactly this. */
  look(wish: PuppyWish, call: ToolCallContext): Promise<Result<PuppyLook>>;
  /**
   * Runs until the end, a wait for a person or a longer time, or the time limit, which cancels the run.
   * Repeating the same call refers to the same run.
   */
  run(wish: PuppyWish, limits: PuppyLimits, call: ToolCallContext): Promise<PuppyTold>;
  /** Only runs that this agent started. */
  state(run: string, maxStdoutBytes: number): Promise<Envelope>;
  cancel(run: string): Promise<Envelope>;
}

export interface PuppyPort extends PuppyRuns {
  /** Answers a model question like an `llm-task` step, for the agent itself. */
  ask(wish: StepModelWish, call: ToolCallContext): Promise<ModelTold>;
}
