/**
 * `memory_append` under the name and with the default that external programs know: one note for everything.
 */
import { z } from 'zod';
import { defineTool } from '../../../core/tools/define-tool.ts';
import type { Tool } from '../../../core/tools/tool.ts';

export function createMemoryRememberTool(append: Tool): Tool {
  const { group, core, replay } = append;
  return defineTool({
    group,
    core,
    replay,
    reveals: [],
    refusalReveals: ['notes'],
    executionMode: 'sequential',
    name: 'remember',
    description: 'Keeps something in your notes; they are part of your instructions in every later turn.',
    input: z.strictObject({
      text: z.string().min(1).max(16_384),
      note: z
        .string()
        .regex(/^[\w-]{1,64}$/, 'up to 64 letters, digits, "_" and "-"')
        .default('remembered')
        .describe('Name of the note, without .md'),
    }),
    assess: (args, context) => append.assess(args, context),
    execute: (args, context) => append.execute(args, context),
  });
}
