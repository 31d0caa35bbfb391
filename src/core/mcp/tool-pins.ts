/**
 * Pins of tool definitions: a hash over everything that the model or the operator sees of a tool, and the diff
 * between two definitions. A server that changes a definition is noticed.
 */
import { toVisibleText } from '../../contract/visible-text.ts';
import { utf8 } from '../lib/bytes.ts';
import { writeStable } from '../lib/stable-json.ts';
import { unifiedDiff } from '../lib/unified-diff.ts';
import type { McpToolDefinition } from './mcp-ports.ts';
import type { Sha256Hex } from './tool-names.ts';

/** Canonical text: name, title, description, schemas and annotations; the order of fields does not matter. */
const stableText = (tool: McpToolDefinition): string => {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return writeStable({ name, title, description, inputSchema, outputSchema, annotations });
};

export const toolPin = (tool: McpToolDefinition, sha256: Sha256Hex): string => sha256(utf8(stableText(tool)));

/** For people: the description in its own lines, then the rest as JSON; invisible characters are named. */
export function toolDefinitionText(tool: McpToolDefinition): string {
  const { description, ...others } = JSON.parse(stableText(tool)) as Record<string, unknown>;
  return toVisibleText(`${String(description ?? '')}\n\n${JSON.stringify(others, null, 2)}\n`);
}

/** Unified diff; empty if nothing visible has changed. */
export const toolDefinitionDiff = (before: McpToolDefinition, after: McpToolDefinition): string =>
  unifiedDiff(toolDefinitionText(before), toolDefinitionText(after));
