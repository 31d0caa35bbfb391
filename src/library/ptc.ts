/**
 * MCP servers for programs that use the package `openai`: `import { patchOpenAIWithMcp } from 'kennel/ptc'`. The
 * names exported here are stable.
 */
import { type DisplayEvent, toDisplayEvents } from './ptc/display-events.ts';
import { type LocalTool, makeLocalTool, type ToolFunction, type ToolOptions } from './ptc/local-tool.ts';
import { type OpenAIClient, type PatchOptions, patchClient, type WithMcp } from './ptc/patch-openai.ts';

export type { DisplayEvent } from './ptc/display-events.ts';
export type { LocalTool, ToolFunction, ToolOptions } from './ptc/local-tool.ts';
export type {
  McpCreateOptions,
  OpenAIClient,
  PatchOptions,
  ProviderAddress,
  WithMcp,
} from './ptc/patch-openai.ts';
export type { ApproveCall, McpServer } from './ptc/tool-pool.ts';

/**
 * Gives `create` of chat completions and responses the fields of `McpCreateOptions`, and returns the same client. Calls
 * of tools are answered here, in up to 20 model requests. Call `cleanupMcp` at the end.
 */
export const patchOpenAIWithMcp = <C extends OpenAIClient>(
  client: C,
  settings: PatchOptions = {},
): WithMcp<C> => patchClient(client, settings);

/** Makes a tool of a function with one object as its argument; its parameters may come from its doc comment. */
export const tool = (run: ToolFunction, options: ToolOptions = {}): LocalTool => makeLocalTool(run, options);

/** Text, code that ran, and ends of turns, from a stream of chat completions or of responses. */
export const displayEvents = (stream: AsyncIterable<unknown>): AsyncIterable<DisplayEvent> =>
  toDisplayEvents(stream);
