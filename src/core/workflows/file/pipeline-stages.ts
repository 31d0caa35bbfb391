/**
 * Checks the pipelines of a file before anything runs: every stage and flag; values known only later stay
 * unchecked.
 */
import { checkStages, effectOf } from '../pipeline/check.ts';
import type { SideEffect } from '../pipeline/command.ts';
import { commandNamed } from '../pipeline/command-table.ts';
import { type PipelineProblem, parsePipeline, type Stage } from '../pipeline/parse.ts';
import type { EffectClass, Template } from './definition.ts';
import { printTemplate } from './template.ts';

/** Placeholders: a word that contains one is known only at run time. */
export const openTexts = (template: Template): readonly string[] =>
  template.filter((part) => part.kind !== 'text').map((part) => printTemplate([part]));

export function pipelineProblems(template: Template): readonly PipelineProblem[] {
  const stages = parsePipeline(printTemplate(template));
  if (!stages.ok) return [stages.error];
  const open = openTexts(template);
  return checkStages(stages.value, { isDeferred: (word) => open.some((text) => word.includes(text)) });
}

/** Empty if the pipeline cannot be parsed. */
export function readStages(template: Template): readonly Stage[] {
  const stages = parsePipeline(printTemplate(template));
  return stages.ok ? stages.value : [];
}

const hasStage = (template: Template, effect: SideEffect): boolean =>
  readStages(template).some(({ tokens }) => commandNamed(tokens[0].text)?.sideEffects.includes(effect));

export const pipelineAsks = (template: Template): boolean => hasStage(template, 'asks_person');

/** Whether a stage calls a model, which costs money. */
export const pipelineAsksModel = (template: Template): boolean => hasStage(template, 'asks_model');

/** Strongest effect of its stages; `once` if the pipeline cannot be parsed. */
export function pipelineEffect(template: Template): EffectClass {
  const commands = readStages(template).map(({ tokens }) => commandNamed(tokens[0].text));
  const known = commands.flatMap((command) => (command ? [{ command }] : []));
  return known.length === 0 || known.length < commands.length ? 'once' : effectOf(known);
}
