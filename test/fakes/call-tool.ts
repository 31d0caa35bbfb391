/**
 * Calls a tool as the loop does: assess, assess again right before running, then run unless the tool refuses.
 */
import type { Assessment } from '../../src/core/policy/assessment.ts';
import type { Tool, ToolOutput } from '../../src/core/tools/tool.ts';
import { toolContext } from './tool-context.ts';

export interface CalledTool {
  readonly assessment: Assessment;
  /** `null` if blocked. */
  readonly output: ToolOutput | null;
  /** Text blocks of the output, or the reason for blocking. */
  readonly text: string;
}

let calls = 0;

export const textIn = (output: ToolOutput): string =>
  output.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

/** `meanwhile` runs while the approval is pending. */
export async function callTool(
  tool: Tool | undefined,
  args: Readonly<Record<string, unknown>>,
  meanwhile: () => void = () => undefined,
): Promise<CalledTool> {
  if (!tool) throw new Error('there is no such tool');
  calls += 1;
  const context = toolContext({ callId: `call-${calls}` });
  const assessment = await tool.assess(args, context);
  meanwhile();
  const again = await tool.assess(args, context);
  const blocked = assessment.blocked ?? again.blocked;
  if (blocked) return { assessment, output: null, text: blocked.message };
  const output = await tool.execute(args, context);
  return { assessment, output, text: textIn(output) };
}
