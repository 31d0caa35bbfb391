/** Results of a server in the types of the port. Fields that Kennel does not use are left out. */
import type {
  CallToolResult,
  ContentBlock,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@modelcontextprotocol/client';
import type {
  McpContent,
  McpPrompt,
  McpResource,
  McpResourceContent,
  McpResourceTemplate,
  McpToolDefinition,
  McpToolResult,
} from '../../core/mcp/mcp-ports.ts';
import { maxDefinitionLength, maxListEntries } from './message-limits.ts';

type Given<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Leaves out fields that are `undefined`. */
const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

export const readTool = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): McpToolDefinition =>
  given({
    name,
    title,
    description,
    inputSchema: inputSchema as McpToolDefinition['inputSchema'],
    outputSchema: outputSchema as McpToolDefinition['outputSchema'],
    annotations:
      annotations &&
      given({
        title: annotations.title,
        readOnlyHint: annotations.readOnlyHint,
        destructiveHint: annotations.destructiveHint,
        idempotentHint: annotations.idempotentHint,
        openWorldHint: annotations.openWorldHint,
      }),
  }) as McpToolDefinition;

export const readResource = ({ uri, name, title, description, mimeType, size }: Resource): McpResource =>
  given({ uri, name, title, description, mimeType, size }) as McpResource;

export const readTemplate = ({
  uriTemplate,
  name,
  title,
  description,
  mimeType,
}: ResourceTemplateType): McpResourceTemplate =>
  given({ uriTemplate, name, title, description, mimeType }) as McpResourceTemplate;

export const readPromptEntry = ({ name, title, description, arguments: args }: Prompt): McpPrompt =>
  given({
    name,
    title,
    description,
    arguments: (args ?? []).map((each) =>
      given({ name: each.name, description: each.description, required: each.required === true }),
    ),
  }) as McpPrompt;

export const readContents = (contents: ReadResourceResult['contents']): readonly McpResourceContent[] =>
  contents.map((each) =>
    given({
      uri: each.uri,
      mimeType: each.mimeType,
      text: 'text' in each ? each.text : undefined,
      blob: 'blob' in each ? each.blob : undefined,
    }),
  ) as readonly McpResourceContent[];

/** `null` for a kind that Kennel does not know. */
export function readBlock(block: ContentBlock): McpContent | null {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    case 'resource_link':
      return given({
        type: 'resourceLink',
        uri: block.uri,
        name: block.name,
        description: block.description,
        mimeType: block.mimeType,
      }) as McpContent;
    case 'resource': {
      const [resource] = readContents([block.resource]);
      return resource ? { type: 'resource', resource } : null;
    }
    default:
      return null;
  }
}

export const readToolResult = (result: CallToolResult): McpToolResult => ({
  content: (result.content ?? []).flatMap((block) => readBlock(block) ?? []),
  ...(result.structuredContent === undefined ? {} : { structured: result.structuredContent }),
  isError: result.isError === true,
});

export interface LimitedList<T> {
  readonly entries: readonly T[];
  /** Entries left out, because they or the list are too long. */
  readonly leftOut: number;
}

export function limitList<T>(all: readonly T[]): LimitedList<T> {
  const entries = all
    .slice(0, maxListEntries)
    .filter((entry) => JSON.stringify(entry).length <= maxDefinitionLength);
  return { entries, leftOut: all.length - entries.length };
}
