import { z } from 'zod';
import type { Result } from '../../contract/result.ts';
import { toVisibleLine, toVisibleText } from '../../contract/visible-text.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type {
  McpContent,
  McpProgress,
  McpPrompt,
  McpPromptResult,
  McpResourceContent,
  McpToolDefinition,
  McpToolResult,
} from '../../core/mcp/mcp-ports.ts';
import { mcpToolNames } from '../../core/mcp/tool-names.ts';
import { textBlock, type UserContent } from '../../core/models/messages.ts';
import type { JsonSchema } from '../../core/models/model-ports.ts';
import type { Assessment } from '../../core/policy/assessment.ts';
import { defineTool } from '../../core/tools/define-tool.ts';
import { failureOutput, previewBody, textOutput } from '../../core/tools/output.ts';
import type { Tool, ToolOutput } from '../../core/tools/tool.ts';
import { say } from '../../language/say.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { LiveServer } from './live-server.ts';
import type { ToolPin } from './server-records.ts';

/** A server as one agent uses it. */
export interface OfferedServer {
  readonly name: string;
  /** Target of its calls: the host of its address, or the server by its name. */
  readonly reaches: string;
  readonly live: LiveServer;
  readonly tools: readonly ToolPin[];
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
}

const maxDescription = 4_000;
const callTimeoutMs = 10 * 60_000;
/** Of one result, for the model. */
const maxResultChars = 100_000;
const maxImages = 20;
const maxParts = 1_000;

function descriptionOf(server: string, definition: McpToolDefinition): string {
  const told = toVisibleText(definition.description ?? definition.title ?? '');
  return `Tool of the MCP server "${server}". ${cutCodePoints(told, maxDescription)}`;
}

/** The schema of the server goes to the model as it is. */
function schemaOf({ inputSchema }: McpToolDefinition): JsonSchema {
  const { $schema: _, ...schema } = inputSchema;
  return { ...schema, type: 'object' };
}

/** The call as the operator sees it. What the server says about itself never lowers the risk. */
function assessmentOf(
  { name, reaches }: Pick<OfferedServer, 'name' | 'reaches'>,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Assessment {
  return {
    risk: 'medium',
    effects: [{ kind: 'network', host: reaches }],
    preview: {
      kind: 'text',
      title: say('actions.callServerTool', { tool: toVisibleLine(tool), server: name }),
      ...previewBody(toVisibleText(JSON.stringify(args, null, 2))),
      where: say('approvals.ofServer', { server: name }),
    },
  };
}

export function resourceText({ uri, text, mimeType = '' }: McpResourceContent): string {
  const head = `[Resource ${uri}]`;
  return text === undefined ? `${head} [Binary content (${mimeType}) left out.]` : `${head}\n${text}`;
}

function contentText(content: McpContent): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image':
    case 'audio':
      return `[Content of type ${content.mimeType} left out.]`;
    case 'resourceLink':
      return `[Resource ${content.uri}: ${content.name}]`;
    case 'resource':
      return resourceText(content.resource);
  }
}

function cutText(all: string, limit = maxResultChars): UserContent {
  const cut = cutCodePoints(all, limit);
  return textBlock(cut.length === all.length ? cut : `${cut}\n[Cut here: ${all.length} characters.]`);
}

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** All texts of one result share the limit, however many parts it has (T27). */
function blocksOf(contents: readonly McpContent[]): readonly UserContent[] {
  const blocks: UserContent[] = [];
  let left = maxResultChars;
  let images = 0;
  for (const [index, content] of contents.entries()) {
    if (content.type === 'image' && imageTypes.has(content.mimeType) && images < maxImages) {
      images += 1;
      blocks.push({ type: 'image', data: content.data, mimeType: content.mimeType });
      continue;
    }
    const text = contentText(content);
    if (left <= 0 || index >= maxParts) {
      blocks.push(textBlock(`[Cut here: ${contents.length - index} more parts.]`));
      break;
    }
    blocks.push(cutText(text, left));
    left -= text.length;
  }
  return blocks;
}

/** Structured content is for programs; the model gets it if no text says the same. */
export function outputOf({ content, structured, isError }: McpToolResult): ToolOutput {
  const blocks = blocksOf(content);
  const json = structured === undefined ? null : JSON.stringify(structured);
  const hasText = blocks.some((block) => block.type === 'text' && block.text !== '');
  const shown = json !== null && (!hasText || isError) ? [...blocks, cutText(json)] : blocks;
  return {
    content: shown.length === 0 ? [textBlock('[No output.]')] : shown,
    ...(structured === undefined ? {} : { details: { structuredContent: structured } }),
    ...(isError ? { isError: true } : {}),
  };
}

function progressText({ progress, total, message }: McpProgress): string {
  const count = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined ? count : `${count} ${toVisibleLine(message)}`;
}

function callTool(server: OfferedServer, named: string, definition: McpToolDefinition): Tool {
  const { name, live } = server;
  const { name: tool } = definition;
  return {
    name: named,
    group: 'mcp',
    core: false,
    description: descriptionOf(name, definition),
    parameters: schemaOf(definition),
    ...(definition.outputSchema ? { output: definition.outputSchema } : {}),
    replay: 'never',
    timeoutMs: callTimeoutMs,
    foreign: true,
    assess: (args) => {
      const assessment = assessmentOf(server, tool, args);
      if (!live.changed().some((changed) => changed.name === tool)) return assessment;
      const message = `The definition of this tool has changed, and the operator has not accepted the new one yet. Nothing was sent.`;
      return { ...assessment, blocked: { reason: 'definition_changed', message } };
    },
    async execute(args, context) {
      const { signal, progress } = context;
      const said = await live.call({ tool, args, caller: context }, signal, (told) =>
        progress(textOutput(progressText(told))),
      );
      return said.ok ? outputOf(said.value) : failureOutput(said.error);
    },
  };
}

const byServer = z.strictObject({ server: z.string().max(100).describe('Name of the server') });
const onePrompt = byServer.extend({
  name: z.string().max(500).describe('Name of the prompt'),
  arguments: z.record(z.string().max(500), z.string().max(100_000)).default({}),
});
const oneResource = byServer.extend({ uri: z.string().max(4_000).describe('Address of the resource') });

async function answer<T>(result: Promise<Result<T>>, show: (value: T) => string): Promise<ToolOutput> {
  const said = await result;
  if (!said.ok) return failureOutput(said.error);
  return { content: [cutText(show(said.value))] };
}

const common = { group: 'mcp', core: false, replay: 'safe', foreign: true, timeoutMs: 60_000 } as const;

/** Of the servers with resources, or with prompts. */
function serversWith(what: string, servers: readonly OfferedServer[]) {
  const named = (name: string): OfferedServer | undefined => servers.find((server) => server.name === name);
  const names = servers.map(({ name }) => name).join(', ');
  return {
    named,
    names,
    unknown: (name: string): ToolOutput => ({
      ...textOutput(`There is no server "${name}" with ${what}. There is: ${names}.`),
      isError: true,
    }),
    assess: (tool: string) => (args: { readonly server: string }) =>
      assessmentOf({ name: args.server, reaches: named(args.server)?.reaches ?? args.server }, tool, args),
  };
}

function promptLine({ name, description = '', arguments: args }: McpPrompt): string {
  const named = args.map((one) => (one.required ? one.name : `${one.name}?`)).join(', ');
  return `${name}(${named}) ${description}`.trim();
}

function promptText({ description = '', messages }: McpPromptResult): string {
  return [description, ...messages.map(({ role, content }) => `${role}: ${contentText(content)}`)]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** For the agents whose servers have prompts. */
function promptTools(servers: readonly OfferedServer[]): readonly Tool[] {
  const { named, names, unknown, assess } = serversWith('prompts', servers);
  return [
    defineTool({
      ...common,
      name: 'list_prompts',
      description: `Lists the prompts of an MCP server with their arguments. Servers: ${names}.`,
      input: byServer,
      assess: assess('list_prompts'),
      async execute({ server }, context) {
        const { signal } = context;
        const found = named(server);
        if (!found) return unknown(server);
        const listed = found.live.use(context, signal, (connection) => connection.prompts({ signal }));
        return answer(listed, (all) => (all.length === 0 ? '[No prompts.]' : all.map(promptLine).join('\n')));
      },
    }),
    defineTool({
      ...common,
      name: 'get_prompt',
      description: `Gets the text of a prompt of an MCP server. Servers: ${names}.`,
      input: onePrompt,
      assess: assess('get_prompt'),
      async execute({ server, name, arguments: args }, context) {
        const { signal } = context;
        const found = named(server);
        if (!found) return unknown(server);
        const got = found.live.use(context, signal, (connection) =>
          connection.getPrompt(name, args, { signal }),
        );
        return answer(got, promptText);
      },
    }),
  ];
}

/** For the agents whose servers have resources. */
function resourceTools(servers: readonly OfferedServer[]): readonly Tool[] {
  const { named, names, unknown, assess } = serversWith('resources', servers);
  return [
    defineTool({
      ...common,
      name: 'list_resources',
      description: `Lists what an MCP server offers to read. Servers: ${names}.`,
      input: byServer,
      assess: assess('list_resources'),
      async execute({ server }, context) {
        const { signal } = context;
        const found = named(server);
        if (!found) return unknown(server);
        const listed = found.live.use(context, signal, (connection) => connection.resources({ signal }));
        return answer(listed, (all) =>
          all.length === 0
            ? '[No resources.]'
            : all.map(({ uri, name, description = '' }) => `${uri} ${name} ${description}`.trim()).join('\n'),
        );
      },
    }),
    defineTool({
      ...common,
      name: 'read_resource',
      description: `Reads a resource of an MCP server. Servers: ${names}.`,
      input: oneResource,
      assess: assess('read_resource'),
      async execute({ server, uri }, context) {
        const { signal } = context;
        const found = named(server);
        if (!found) return unknown(server);
        const read = found.live.use(context, signal, (connection) =>
          connection.readResource(uri, { signal }),
        );
        return answer(read, (contents) => contents.map(resourceText).join('\n\n'));
      },
    }),
  ];
}

/** In a fixed order, so that requests to the model stay the same. The first of two tools with one name counts. */
export function createAgentServerTools(servers: readonly OfferedServer[]): readonly Tool[] {
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const all = [...servers]
    .sort((a, b) => order(a.name, b.name))
    .flatMap((server) =>
      [...server.tools]
        .sort((a, b) => order(a.definition.name, b.definition.name))
        .map(({ definition }) => ({ server, definition })),
    );
  const names = mcpToolNames(
    all.map(({ server, definition }) => ({ server: server.name, tool: definition.name })),
    sha256Hex,
  );
  const tools = all.map(({ server, definition }, at) => callTool(server, names[at] ?? '', definition));
  const unique = tools.filter(({ name }, at) => names.indexOf(name) === at);
  const readable = servers.filter(({ hasResources }) => hasResources);
  const prompting = servers.filter(({ hasPrompts }) => hasPrompts);
  return [
    ...unique,
    ...(readable.length === 0 ? [] : resourceTools(readable)),
    ...(prompting.length === 0 ? [] : promptTools(prompting)),
  ];
}
