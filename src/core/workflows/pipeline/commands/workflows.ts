/** Commands that list and run: workflows.list, workflows.run, commands.list. */
import { ok } from '../../../../contract/result.ts';
import { englishText } from '../../../../language/host-message.ts';
import { say } from '../../../../language/say.ts';
import { drain, type Flag, type Items, must, type PipelineCommand, type StageContext } from '../command.ts';
import type { ExactJsonRecord, JsonValue } from '../exact-json.ts';

async function* listWorkflows(items: Items, { ports }: StageContext): Items {
  await drain(items);
  yield* must(await ports.workflows.list());
}

export const workflowsList: PipelineCommand = {
  name: 'workflows.list',
  description: 'Lists the workflows that can be run by name.',
  flags: [],
  words: null,
  examples: ['workflows.list'],
  sideEffects: [],
  effect: 'idempotent',
  prepare: () => ok({ kind: 'flow', run: listWorkflows }),
};

async function* runWorkflow(items: Items, name: string, args: ExactJsonRecord, context: StageContext): Items {
  await drain(items);
  yield* must(await context.ports.workflows.run(name, args, context.signal));
}

export const workflowsRun: PipelineCommand = {
  name: 'workflows.run',
  description: 'Runs a workflow by name; its output are the items.',
  flags: [
    { name: 'name', type: 'text', description: say('pipelines.flagWorkflow'), required: true },
    { name: 'args-json', type: 'record', description: 'its arguments, a JSON object' },
  ],
  words: null,
  examples: [`workflows.run --name weekly-review --args-json '{"vault":"notes"}'`],
  sideEffects: ['runs_programs', 'calls_tools'],
  effect: 'once',
  prepare: (args) => {
    const [name, given] = [args.text('name') ?? '', args.record('args-json') ?? {}];
    return ok({ kind: 'flow', run: (items, context) => runWorkflow(items, name, given, context) });
  },
};

const schemaTypes = {
  switch: 'boolean',
  text: 'string',
  choice: 'string',
  count: 'integer',
  number: 'number',
  json: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  record: 'object',
} as const;

const flagSchema = (flag: Flag): ExactJsonRecord => ({
  type: schemaTypes[flag.type],
  description: englishText(flag.description),
  ...(flag.type === 'count' ? { minimum: 0 } : {}),
  ...(flag.choices === undefined ? {} : { enum: flag.choices }),
  ...(flag.default === undefined ? {} : { default: flag.default }),
});

/** One entry per name, aliases included, because a model may use any of them. */
export function describeCommand(command: PipelineCommand): ExactJsonRecord[] {
  const required = command.flags.filter((flag) => flag.required).map(({ name }) => name);
  const { words } = command;
  const properties: Record<string, JsonValue> = Object.fromEntries(
    command.flags.map((flag) => [flag.name, flagSchema(flag)]),
  );
  if (words !== null) {
    const { description, min: minItems, max: maxItems } = words;
    properties._ = {
      type: 'array',
      items: { type: 'string' },
      description: englishText(description),
      minItems,
      maxItems,
    };
    if (minItems > 0) required.push('_');
  }
  const argsSchema: ExactJsonRecord = { type: 'object', properties, required, additionalProperties: false };
  return [command.name, ...(command.aliases ?? [])].map((name) => ({
    name,
    description: command.description,
    argsSchema,
    examples: command.examples,
    sideEffects: command.sideEffects,
    effect: command.effect,
    ...(name === command.name ? {} : { aliasOf: command.name }),
  }));
}

async function* listCommands(items: Items, { commands }: StageContext): Items {
  await drain(items);
  for (const command of commands) yield* describeCommand(command);
}

export const commandsList: PipelineCommand = {
  name: 'commands.list',
  description: 'Lists every command with its flags, examples and effects.',
  flags: [],
  words: null,
  examples: ['commands.list'],
  sideEffects: [],
  effect: 'pure',
  prepare: () => ok({ kind: 'flow', run: listCommands }),
};
