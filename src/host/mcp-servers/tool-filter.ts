import type { McpServerConfig } from '../../core/mcp/server-config.ts';
import { matchName } from '../../core/policy/glob.ts';

/** Whether agents get the tool: the allow list has it, or is absent, and the deny list has it not. */
export function isToolOffered({ tool_filter: filter }: McpServerConfig, tool: string): boolean {
  const isIn = (patterns: readonly string[]): boolean => patterns.some((pattern) => matchName(pattern, tool));
  return filter === undefined || ((filter.allow === undefined || isIn(filter.allow)) && !isIn(filter.deny));
}
