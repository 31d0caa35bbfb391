/** Checks a workflow without running it: findings, and the definition if it can be read. */
import path from 'node:path';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { type Finding, nowhere } from '../../core/workflows/file/finding.ts';
import { readWorkflow, readWorkflowObject } from '../../core/workflows/file/read-workflow.ts';
import { preparePipeline } from '../../core/workflows/pipeline/check.ts';
import { placeInText } from '../../core/workflows/pipeline/parse.ts';
import { checkReading, formOf, readTextFile, type WorkflowSource } from './read-source.ts';

export interface CheckedSource {
  readonly findings: readonly Finding[];
  /** `null` if it is not readable as a workflow, or is a pipeline. */
  readonly definition: WorkflowDefinition | null;
  /** The text that line numbers of findings refer to; empty if they have none. */
  readonly text: string;
}

const single = (rule: string, message: string, hint?: string): CheckedSource => ({
  definition: null,
  text: '',
  findings: [
    { severity: 'error', rule, message, path: '', ...nowhere, ...(hint === undefined ? {} : { hint }) },
  ],
});

function checkPipeline(pipeline: string): CheckedSource {
  const stages = preparePipeline(pipeline);
  if (stages.ok) return { definition: null, text: '', findings: [] };
  const findings = stages.error.map((problem): Finding => {
    const { stage, message, hint, at } = problem;
    return {
      severity: 'error',
      rule: 'pipeline',
      message: `Stage ${stage} of the pipeline: ${message}`,
      path: '',
      ...placeInText(pipeline, at),
      ...(hint === null ? {} : { hint }),
    };
  });
  return { definition: null, text: pipeline, findings };
}

/** Code points. */
const longestLine = 100;

/** The source line of a finding, unchanged so that columns match; empty if there is none. */
export const lineOfText = (text: string, line: number): string =>
  cutCodePoints((text.split('\n', line)[line - 1] ?? '').trimEnd(), longestLine);

export function checkSource(source: WorkflowSource, root: string): CheckedSource {
  const form = formOf(source, root);
  if ('steps' in form) {
    const { reading, findings } = checkReading(readWorkflowObject(form), null, root);
    return { definition: reading.definition, text: '', findings };
  }
  if ('pipeline' in form && typeof form.pipeline === 'string') return checkPipeline(form.pipeline);
  if ('text' in form && typeof form.text === 'string') {
    const { reading, findings } = checkReading(readWorkflow(form.text), null, root);
    return { definition: reading.definition, text: form.text, findings };
  }
  if (!('file' in form) || typeof form.file !== 'string')
    return single('nothing', 'There is nothing to check.');
  const file = path.resolve(root, form.file);
  const text = readTextFile(file);
  if (!text.ok) return single('no-file', text.error.message);
  const { reading, findings } = checkReading(readWorkflow(text.value), file, root);
  return { definition: reading.definition, text: text.value, findings };
}
