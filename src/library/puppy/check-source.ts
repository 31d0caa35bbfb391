/** Checks a workflow without running it: findings, and the definition if it can be read. */
import path from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { type Finding, nowhere } from '../../core/workflows/file/finding.ts';
import { inStage } from '../../core/workflows/file/parts.ts';
import { readWorkflow, readWorkflowObject } from '../../core/workflows/file/read-workflow.ts';
import { preparePipeline } from '../../core/workflows/pipeline/check.ts';
import { placeInText } from '../../core/workflows/pipeline/parse.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { checkReading, formOf, readTextFile, type WorkflowSource } from './read-source.ts';

/** A finding in English, for programs. */
export interface WorkflowFinding extends Omit<Finding, 'message' | 'hint'> {
  readonly message: string;
  readonly hint?: string;
}

const inEnglish = ({ message, hint, ...finding }: Finding): WorkflowFinding => ({
  ...finding,
  message: englishText(message),
  ...(hint === undefined ? {} : { hint: englishText(hint) }),
});

export interface CheckedSource {
  readonly findings: readonly WorkflowFinding[];
  /** `null` if it is not readable as a workflow, or is a pipeline. */
  readonly definition: WorkflowDefinition | null;
  /** The text that line numbers of findings refer to; empty if they have none. */
  readonly text: string;
}

const single = (rule: string, message: HostText): CheckedSource => ({
  definition: null,
  text: '',
  findings: [{ severity: 'error', rule, message: englishText(message), path: '', ...nowhere }],
});

function checkPipeline(pipeline: string): CheckedSource {
  const stages = preparePipeline(pipeline);
  if (stages.ok) return { definition: null, text: '', findings: [] };
  const findings = stages.error.map((problem): WorkflowFinding => {
    const { stage, message, hint, at } = problem;
    return inEnglish({
      severity: 'error',
      rule: 'pipeline',
      message: inStage(stage, message),
      path: '',
      ...placeInText(pipeline, at),
      ...(hint === null ? {} : { hint }),
    });
  });
  return { definition: null, text: pipeline, findings };
}

/** Code points. */
const longestLine = 100;

/** The source line of a finding, unchanged so that columns match; empty without one. */
export const lineOfText = (text: string, line: number): string =>
  cutCodePoints((text.split('\n', line)[line - 1] ?? '').trimEnd(), longestLine);

export function checkSource(source: WorkflowSource, root: string): CheckedSource {
  const form = formOf(source, root);
  if ('steps' in form) {
    const { reading, findings } = checkReading(readWorkflowObject(form), null, root);
    return { definition: reading.definition, text: '', findings: findings.map(inEnglish) };
  }
  if ('pipeline' in form && typeof form.pipeline === 'string') return checkPipeline(form.pipeline);
  if ('text' in form && typeof form.text === 'string') {
    const { reading, findings } = checkReading(readWorkflow(form.text), null, root);
    return { definition: reading.definition, text: form.text, findings: findings.map(inEnglish) };
  }
  if (!('file' in form) || typeof form.file !== 'string')
    return single('nothing', say('workflowFiles.nothingToCheck'));
  const file = path.resolve(root, form.file);
  const text = readTextFile(file);
  if (!text.ok) return single('no-file', messageOf(text.error));
  const { reading, findings } = checkReading(readWorkflow(text.value), file, root);
  return { definition: reading.definition, text: text.value, findings: findings.map(inEnglish) };
}
