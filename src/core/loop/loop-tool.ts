/** The least the loop must know of a tool. */
import type { JsonSchema } from '../model-ports.ts';
import type { ReplayPolicy, ToolOutput } from '../tool-ports.ts';

export interface LoopTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /**
   * A thrown error becomes the text of an error result. Updates after it has ended are ignored. Tools of programs outside
   * may return anything else, too: `toToolOutput` makes one result of it.
   */
  execute(
    callId: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    onUpdate: (partial: ToolOutput) => void,
  ): Promise<ToolOutput> | ToolOutput;
  /** Mends what a model habitually gets wrong, before validation. */
  prepareArguments?(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** One called tool that is sequential makes its whole batch so. */
  readonly executionMode?: 'parallel' | 'sequential';
  /** ms after which the call is cut off and reported, whether or not it heeds its signal. */
  readonly timeoutMs?: number;
  /** Default `never`. */
  readonly replay?: ReplayPolicy;
}
