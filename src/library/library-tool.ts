/** A minimal tool: a name, a description, arguments and a function. */
import type { LoopTool } from '../core/loop/loop-tool.ts';
import { textBlock } from '../core/models/messages.ts';
import type { JsonSchema } from '../core/models/model-ports.ts';
import type { ToolOutput } from '../core/tools/tool.ts';

export interface CallScope {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Shows progress while the call runs. */
  progress(text: string): void;
}

export interface LibraryTool
  extends Pick<LoopTool, 'executionMode' | 'timeoutMs' | 'replay' | 'prepareArguments'> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; without one the tool takes no arguments. Validated before `run`. */
  readonly parameters?: JsonSchema;
  /** The model gets a thrown error as the call's error. */
  run(
    args: Readonly<Record<string, unknown>>,
    scope: CallScope,
  ): string | ToolOutput | Promise<string | ToolOutput>;
}

const noArguments: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

const asOutput = (made: string | ToolOutput): ToolOutput =>
  typeof made === 'string' ? { content: [textBlock(made)] } : made;

export function toLoopTool({ run, parameters = noArguments, ...rest }: LibraryTool): LoopTool {
  return {
    ...rest,
    parameters,
    execute: async (callId, args, signal, onUpdate) =>
      asOutput(await run(args, { callId, signal, progress: (text) => onUpdate(asOutput(text)) })),
  };
}
