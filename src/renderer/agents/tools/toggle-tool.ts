/** Toggles one tool in the lists of the agent's settings and leaves all other entries unchanged. */
import type { ToolsConfig } from '../../../contract/work.ts';

const without = (list: readonly string[], name: string): string[] => list.filter((one) => one !== name);

/**
 * Disabling adds the tool to `deny`. Enabling removes it from `deny`, or adds it to `alsoAllow` if it was not
 * denied.
 */
export function toggleTool(tools: ToolsConfig, name: string, on: boolean): ToolsConfig {
  if (!on)
    return {
      ...tools,
      alsoAllow: without(tools.alsoAllow, name),
      deny: [...without(tools.deny, name), name],
    };
  if (tools.deny.includes(name)) return { ...tools, deny: without(tools.deny, name) };
  return { ...tools, alsoAllow: [...without(tools.alsoAllow, name), name] };
}
