/** Switching one tool on or off by the three lists of its settings, leaving everything else in them as it is. */
import type { ToolsConfig } from '../../../contract/work.ts';

const without = (list: readonly string[], name: string): string[] => list.filter((one) => one !== name);

/** Off: named under deny. On: no longer named there; where it was not, it is asked for under alsoAllow. */
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
