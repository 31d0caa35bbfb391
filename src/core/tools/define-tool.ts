/**
 * Builds a `Tool` from a zod schema: its code gets typed arguments, and the model gets the same rules as JSON
 * Schema. Arguments are parsed at every call; invalid ones give a blocked assessment or an error output,
 * never an exception.
 */
import { z } from 'zod';
import { say } from '../../language/say.ts';
import type { Assessment } from '../policy/assessment.ts';
import { toolErrorOutput } from './output.ts';
import type { Tool, ToolCallContext, ToolOutput } from './tool.ts';

export type ToolDefinition<S extends z.ZodObject> = Omit<Tool, 'parameters' | 'assess' | 'execute'> & {
  /** Strict object, so that a misspelt argument is reported and not ignored. */
  readonly input: S;
  assess(args: z.output<S>, context: ToolCallContext): Assessment | Promise<Assessment>;
  execute(args: z.output<S>, context: ToolCallContext): Promise<ToolOutput>;
};

function faultsOf(error: z.ZodError): string {
  const lines = error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`,
  );
  return `The arguments do not fit. ${lines.slice(0, 10).join('; ')}`;
}

/** Drops metadata that models do not need. */
function schemaOf(input: z.ZodObject): Tool['parameters'] {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return schema;
}

export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  const { input, assess, execute, ...rest } = definition;
  return {
    ...rest,
    parameters: schemaOf(input),
    assess(args, context) {
      const parsed = input.safeParse(args);
      if (parsed.success) return assess(parsed.data, context);
      const message = faultsOf(parsed.error);
      const preview = {
        kind: 'text',
        title: say('actions.useTool', { tool: rest.name }),
        body: message,
        where: '',
      } as const;
      return { risk: 'low', effects: [], preview, blocked: { reason: 'invalid_arguments', message } };
    },
    async execute(args, context) {
      const parsed = input.safeParse(args);
      return parsed.success ? execute(parsed.data, context) : toolErrorOutput(faultsOf(parsed.error));
    },
  };
}
