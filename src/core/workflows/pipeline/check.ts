/**
 * Checks every stage, flag and word of a pipeline before the first stage runs (spec §4). The result is either
 * runnable as it is, or a list of all problems with their positions.
 */

import { didYouMean } from '../../../contract/did-you-mean.ts';
import { type AppError, textError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { say } from '../../../language/say.ts';
import { type ReadOptions, readArguments } from './arguments.ts';
import type { PipelineCommand, StageEffect, StageRun } from './command.ts';
import { commandNamed, pipelineCommandNames } from './command-table.ts';
import { type PipelineProblem, parsePipeline, placeInText, type Stage } from './parse.ts';

export interface PreparedStage {
  readonly command: PipelineCommand;
  readonly run: StageRun;
}

export type CheckOptions = Partial<ReadOptions>;

const unknownCommand = (stage: Stage, number: number): PipelineProblem => {
  const [name] = stage.tokens;
  const near = didYouMean(name.text, pipelineCommandNames);
  return {
    stage: number,
    at: name.at,
    end: name.end,
    message: say('pipelines.unknownCommand', { name: name.text }),
    hint: near === null ? say('pipelines.listCommands') : say('host.didYouMean', { name: near }),
  };
};

function checkStage(
  stage: Stage,
  number: number,
  options: ReadOptions,
): { readonly problems: readonly PipelineProblem[]; readonly prepared: PreparedStage | null } {
  const [name] = stage.tokens;
  const command = commandNamed(name.text);
  if (!command) return { problems: [unknownCommand(stage, number)], prepared: null };
  const { args, words, problems } = readArguments(command, stage, number, options);
  if (problems.length > 0 || stage.tokens.some(({ text }) => options.isDeferred(text))) {
    return { problems, prepared: null };
  }
  const run = command.prepare(args);
  if (run.ok) return { problems: [], prepared: { command, run: run.value } };
  const { message, hint = null, word } = run.error;
  const { at, end } = (word === undefined ? undefined : words[word]) ?? name;
  return { problems: [{ stage: number, at, end, message, hint }], prepared: null };
}

/** All problems, in order of position. Stages with deferred words are checked as far as possible. */
export function checkStages(
  stages: readonly Stage[],
  options: CheckOptions = {},
): readonly PipelineProblem[] {
  const whole: ReadOptions = { isDeferred: () => false, byAgent: false, ...options };
  return stages.flatMap((stage, index) => checkStage(stage, index + 1, whole).problems);
}

/** Runnable stages; placeholders are taken literally. */
export function prepareStages(
  stages: readonly Stage[],
  options: { readonly byAgent?: boolean } = {},
): Result<readonly PreparedStage[], readonly PipelineProblem[]> {
  const whole: ReadOptions = { isDeferred: () => false, byAgent: options.byAgent ?? false };
  const checked = stages.map((stage, index) => checkStage(stage, index + 1, whole));
  const problems = checked.flatMap((each) => each.problems);
  if (problems.length > 0) return err(problems);
  return ok(checked.flatMap(({ prepared }) => (prepared === null ? [] : [prepared])));
}

export function preparePipeline(
  text: string,
  options: { readonly byAgent?: boolean } = {},
): Result<readonly PreparedStage[], readonly PipelineProblem[]> {
  const stages = parsePipeline(text);
  return stages.ok ? prepareStages(stages.value, options) : err([stages.error]);
}

/** Error for people: the problem, its position, and the fix. */
export function problemError(text: string, problem: PipelineProblem): AppError {
  const { line, column } = placeInText(text, problem.at);
  const where = `stage ${problem.stage}, ${line === 1 ? '' : `line ${line}, `}column ${column}`;
  return textError('invalid_input', problem.message, {
    where,
    ...(problem.hint === null ? {} : { hint: problem.hint }),
  });
}

const weights: Readonly<Record<StageEffect, number>> = { pure: 0, idempotent: 1, once: 2 };

/** Effect class of these stages together: the strongest one decides what a crash means. */
export const effectOf = (stages: readonly { readonly command: PipelineCommand }[]): StageEffect =>
  stages.reduce<StageEffect>(
    (strongest, { command }) => (weights[command.effect] > weights[strongest] ? command.effect : strongest),
    'pure',
  );
