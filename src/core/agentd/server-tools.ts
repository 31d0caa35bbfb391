/** Tools of the MCP servers of an agent, as tools behind the gate. Hints of servers decide nothing. */
import { toVisibleText } from '../../contract/visible-text.ts';
import { say } from '../../language/say.ts';
import type { McpToolDefinition, McpToolResult } from '../mcp/mcp-ports.ts';
import { mcpContentText } from '../mcp/observed-content.ts';
import { mcpToolNames } from '../mcp/tool-names.ts';
import { textBlock } from '../models/messages.ts';
import { matchName } from '../policy/glob.ts';
import type { Tool, ToolOutput } from '../tools/tool.ts';
import type { ServerLink } from './server-link.ts';

export type ToolRule = 'allow' | 'ask' | 'deny';

export interface ServerTool {
  readonly tool: Tool;
  /** From the file; `deny` wins. */
  readonly rule: ToolRule;
}

const fits = (globs: readonly string[], name: string): boolean => globs.some((glob) => matchName(glob, name));

function toOutput({ content, structured, isError }: McpToolResult): ToolOutput {
  const shown = content.map((part) =>
    part.type === 'image'
      ? { type: 'image' as const, data: part.data, mimeType: part.mimeType }
      : textBlock(mcpContentText(part)),
  );
  // Servers should repeat structured content as text; some do not.
  const isEmpty = shown.length === 0 && structured !== undefined;
  const blocks = isEmpty ? [textBlock(JSON.stringify(structured))] : shown;
  return {
    content: blocks.length === 0 ? [textBlock('(no content)')] : blocks,
    isError,
    ...(structured === undefined ? {} : { details: { structuredContent: structured } }),
  };
}

const failedOutput = (text: string): ToolOutput => ({ content: [textBlock(text)], isError: true });

function serverTool(name: string, definition: McpToolDefinition, link: ServerLink): Tool {
  const { server } = link;
  return {
    name,
    group: 'core',
    core: false,
    description: definition.description ?? definition.title ?? definition.name,
    parameters: definition.inputSchema,
    replay: 'never',
    foreign: true,
    assess: (args) => ({
      risk: 'medium',
      // The server may do anything that its program can.
      effects: [{ kind: 'network', host: `mcp:${server.name}` }],
      preview: {
        kind: 'text',
        title: say('actions.useTool', { tool: definition.name }),
        body: toVisibleText(JSON.stringify(args, null, 2)),
        where: server.name,
      },
    }),
    async execute(args, { signal, progress }) {
      const connection = await link.connection();
      if (!connection.ok) return failedOutput(connection.error.message);
      const result = await connection.value.callTool(definition.name, args, {
        signal,
        onProgress: ({ message }) => message && progress({ content: [textBlock(message)] }),
      });
      return result.ok ? toOutput(result.value) : failedOutput(result.error.message);
    },
  };
}

/** In the order of the file; servers that cannot be reached have no tools, and are named in `failed`. */
export async function toolsOfServers(
  links: readonly ServerLink[],
  sha256: (bytes: Uint8Array) => string,
): Promise<{ readonly tools: readonly ServerTool[]; readonly failed: readonly string[] }> {
  const failed: string[] = [];
  const found: { readonly link: ServerLink; readonly definition: McpToolDefinition }[] = [];
  const lists = await Promise.all(links.map((link) => link.tools()));
  for (const [index, link] of links.entries()) {
    const list = lists[index];
    if (!list?.ok) {
      failed.push(`${link.server.name}: ${list?.error.message ?? ''}`);
      continue;
    }
    const { toolFilter } = link.server;
    for (const definition of list.value)
      if (toolFilter === null || fits(toolFilter, definition.name)) found.push({ link, definition });
  }
  const names = mcpToolNames(
    found.map(({ link, definition }) => ({ server: link.server.name, tool: definition.name })),
    sha256,
  );
  const tools = found.map(({ link, definition }, index): ServerTool => {
    const { allow, deny } = link.server;
    const rule = fits(deny, definition.name) ? 'deny' : fits(allow, definition.name) ? 'allow' : 'ask';
    return { tool: serverTool(names[index] ?? definition.name, definition, link), rule };
  });
  return { tools, failed };
}
