/**
 * Workflows as an agent may use them: it starts them and looks at what became of them, within what it may do by itself.
 * It gets no token, so that whatever a person is asked only a person answers.
 */
import type { Result } from '../../contract/result.ts';
import type { Spent } from '../models/usage.ts';
import type { ToolCallContext } from '../tool-ports.ts';
import type { Envelope } from './engine/envelope.ts';
import type { Json } from './file/definition.ts';
import type { ModelTask } from './model-step.ts';

export interface PuppyWish {
  /** The text of a pipeline, or the path of a workflow file. */
  readonly pipeline: string;
  /** A JSON object; for files only. */
  readonly argsJson: string;
  /** Below the agent's folders; empty: its workspace. */
  readonly cwd: string;
}

export interface PuppyLook {
  readonly name: string;
  /** All of it, as it would run. */
  readonly source: string;
  /** SHA-256 of it, hex: a yes is for this and nothing else. */
  readonly digest: string;
  readonly cwd: string;
  /** Programs are started, or work is handed to agents. */
  readonly acts: boolean;
  /** The agent's own words, and none of the operator's files. */
  readonly ownWords: boolean;
}

export interface PuppyTold {
  readonly envelope: Envelope;
  /** The run, where it has not ended: it waits for a person or a time. */
  readonly awaits: string | null;
}

/** One question to the agent's own model: it has no tools, and its answer is JSON. */
export type ModelWish = Pick<ModelTask, 'prompt' | 'input' | 'schema' | 'maxTokens' | 'maxUsd'>;

export interface ModelTold {
  readonly answer: Result<Json>;
  /** Booked already, whatever came back. */
  readonly used: Spent;
}

export interface PuppyLimits {
  readonly timeoutMs: number;
  readonly maxStdoutBytes: number;
}

/** Runs of workflows. */
export interface PuppyRuns {
  /** What it would do, read once: `run` of the same call runs exactly this. */
  look(wish: PuppyWish, call: ToolCallContext): Promise<Result<PuppyLook>>;
  /**
   * Until it ends, waits for a person or a longer time, or the limit is over: then it is cancelled. The same call once more
   * is about the same run.
   */
  run(wish: PuppyWish, limits: PuppyLimits, call: ToolCallContext): Promise<PuppyTold>;
  /** Of runs that this agent started, and no others. */
  state(run: string, maxStdoutBytes: number): Promise<Envelope>;
  cancel(run: string): Promise<Envelope>;
}

export interface PuppyPort extends PuppyRuns {
  /** What `llm-task` steps do, for the agent itself. */
  ask(wish: ModelWish, call: ToolCallContext): Promise<ModelTold>;
}
