/** Calls a tool as the loop does: assessed, assessed once more right before it runs, run unless the tool itself refuses. */
import type { Assessment, Tool, ToolOutput } from '../../src/core/tool-ports.ts';
import { toolContext } from './tool-context.ts';

export interface CalledTool {
  readonly assessment: Assessment;
  /** Null: blocked. */
  readonly output: ToolOutput | null;
  /** The output's text blocks, or why it was blocked. */
  readonly text: string;
}

let calls = 0;

export const textIn = (output: ToolOutput): string =>
  output.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

/** `meanwhile`: happens while the operator is asked. */
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
