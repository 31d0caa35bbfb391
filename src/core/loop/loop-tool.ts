/** Tool interface that the loop needs. */
import type { JsonSchema } from '../models/model-ports.ts';
import type { ReplayPolicy } from '../models/transcript-store.ts';
import type { ToolOutput } from '../tools/tool.ts';

export interface LoopTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /**
   * A thrown error becomes an error result. Updates after the end are ignored. External tools may return any
   * value; `toToolOutput` converts it.
   */
  execute(
    callId: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    onUpdate: (partial: ToolOutput) => void,
  ): Promise<ToolOutput> | ToolOutput;
  /** Corrects habitual mistakes of a model before validation. */
  prepareArguments?(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** One sequential tool makes the whole batch sequential. */
  readonly executionMode?: 'parallel' | 'sequential';
  /** ms before the call is cut off and reported, even if it ignores its signal. */
  readonly timeoutMs?: number;
  /** Default `never`. */
  readonly replay?: ReplayPolicy;
}
