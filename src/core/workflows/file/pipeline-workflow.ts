/**
 * Wraps a pipeline in a workflow of one step, so that both run the same way. Its text is never treated as a
 * template.
 */
import type { AppError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { preparePipeline, problemError } from '../pipeline/check.ts';
import type { WorkflowDefinition } from './definition.ts';
import { pipelineEffect } from './pipeline-stages.ts';
import { readWorkflowObject } from './read-workflow.ts';

/** `invalid_input` with the first problem and its position, before anything runs. */
export function pipelineWorkflow(pipeline: string): Result<WorkflowDefinition, AppError> {
  const stages = preparePipeline(pipeline);
  if (!stages.ok) {
    const [problem] = stages.error;
    return err(
      problem ? problemError(pipeline, problem) : fail('invalid_input', 'workflowFiles.pipelineUnreadable'),
    );
  }
  const { definition } = readWorkflowObject({ steps: [{ id: 'pipeline', pipeline: 'commands.list' }] });
  const [step] = definition?.steps ?? [];
  if (!definition || step?.kind !== 'pipeline')
    return err(fail('internal', 'workflowFiles.pipelineNotWorkflow'));
  const template = [{ kind: 'text', text: pipeline }] as const;
  const steps = [{ ...step, pipeline: template, effect: pipelineEffect(template) }];
  return ok({ ...definition, steps });
}
