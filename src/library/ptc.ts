/**
 * MCP servers and code that calls tools for programs that use the package `openai`:
 * `import { patchOpenAIWithPtc } from 'kennel/ptc'`. The names exported here are stable.
 */
import { createSystemClock } from '../services/clock/system-clock.ts';
import { type CodeExecutor, makeSubprocessExecutor, type SubprocessOptions } from './ptc/code-executor.ts';
import { type DisplayEvent, toDisplayEvents } from './ptc/display-events.ts';
import {
  type ArgumentSchema,
  type LocalTool,
  makeLocalTool,
  type ToolFunction,
  type ToolOptions,
} from './ptc/local-tool.ts';
import {
  type OpenAIClient,
  patchClient,
  patchClientWithCode,
  type WithMcp,
  type WithPtc,
} from './ptc/patch-openai.ts';
import type { PatchOptions, PtcOptions } from './ptc/patch-options.ts';

export type { CodeExecution } from './ptc/code-execution.ts';
export type { CodeExecutor, CodeOutput, ProgramCode, SubprocessOptions } from './ptc/code-executor.ts';
export type { DisplayEvent } from './ptc/display-events.ts';
export type { ArgumentSchema, LocalTool, ToolFunction, ToolOptions } from './ptc/local-tool.ts';
export type {
  McpCreateOptions,
  OpenAIClient,
  PtcCreateOptions,
  WithMcp,
  WithPtc,
} from './ptc/patch-openai.ts';
export type { PatchOptions, ProviderAddress, PtcOptions } from './ptc/patch-options.ts';
export type { ApproveCall, McpServer } from './ptc/tool-pool.ts';

/**
 * Gives `create` of chat completions and responses the fields of `McpCreateOptions`, and returns the same client. Calls
 * of tools are answered here, in up to 20 model requests. Call `cleanupMcp` at the end.
 */
export const patchOpenAIWithMcp = <C extends OpenAIClient>(
  client: C,
  settings: PatchOptions = {},
): WithMcp<C> => patchClient(client, settings);

/**
 * The same with the fields of `PtcCreateOptions`: the model calls the tools from code that it writes, and reads only
 * what the code prints or returns. Call `cleanupPtc` at the end.
 */
export const patchOpenAIWithPtc = <C extends OpenAIClient>(client: C, options: PtcOptions = {}): WithPtc<C> =>
  patchClientWithCode(client, options);

/**
 * Makes a tool of a function with one object as its argument. Its parameters come from a schema, which also checks the
 * arguments, or from its doc comment.
 */
export function tool<Output>(
  run: (args: Output) => unknown,
  options: ToolOptions & { readonly parameters: ArgumentSchema<Output> },
): LocalTool;
export function tool(run: ToolFunction, options?: ToolOptions): LocalTool;
export function tool(run: ToolFunction, options: ToolOptions = {}): LocalTool {
  return makeLocalTool(run, options);
}

/** Runs `bash` and `python` as programs with all rights of this one, in `cwd`. */
export const createProgramExecutor = (options: SubprocessOptions): CodeExecutor =>
  makeSubprocessExecutor(options, createSystemClock());

/** Text, code that ran, and ends of turns, from a stream of chat completions or of responses. */
export const displayEvents = (stream: AsyncIterable<unknown>): AsyncIterable<DisplayEvent> =>
  toDisplayEvents(stream);
