import { pipelineEffect } from '../pipeline-stages.ts';
import { printTemplate } from '../template.ts';
import { type StepKindRules, timedFields } from './step-kind.ts';

export const pipelineKind: StepKindRules<'pipeline'> = {
  keys: ['pipeline'],
  takes: ['stdin', 'cwd', 'env', ...timedFields, 'idempotency_key'],
  effectOf: ({ pipeline }) => pipelineEffect(pipeline),
  read: ({ reader }, { pipeline = '' }) => ({
    kind: 'pipeline',
    pipeline: reader.template(pipeline),
    approval: null,
  }),
  write: ({ pipeline }) => ({ pipeline: printTemplate(pipeline) }),
  collect: ({ pipeline }, to) => to.text('pipeline', pipeline, 'pipeline'),
  summarize: ({ pipeline }) => printTemplate(pipeline),
};
