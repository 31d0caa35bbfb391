/** Every pipeline command, by name and alias. */
import type { PipelineCommand } from './command.ts';
import { exec } from './commands/exec.ts';
import { approve, askGate, json, table } from './commands/gates.ts';
import { invoke } from './commands/invoke.ts';
import { llmInvoke } from './commands/llm.ts';
import { dedupe, groupBy, head, pick, sort, where } from './commands/select.ts';
import { map, template } from './commands/shape.ts';
import { diffLast, stateGet, stateSet } from './commands/state.ts';
import { commandsList, workflowsList, workflowsRun } from './commands/workflows.ts';

export const pipelineCommands: readonly PipelineCommand[] = [
  exec,
  where,
  pick,
  head,
  sort,
  dedupe,
  groupBy,
  map,
  template,
  json,
  table,
  approve,
  askGate,
  stateGet,
  stateSet,
  diffLast,
  invoke,
  llmInvoke,
  workflowsList,
  workflowsRun,
  commandsList,
];

const byName: ReadonlyMap<string, PipelineCommand> = new Map(
  pipelineCommands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => [name, command] as const),
  ),
);

export const pipelineCommandNames: readonly string[] = [...byName.keys()];

export const commandNamed = (name: string): PipelineCommand | undefined => byName.get(name);
