/** Implementation of `kennel/puppy`, loaded with the first call so that importing the library is fast. */
import { fail } from '../../contract/fail.ts';
import type { GateReply } from '../../core/workflows/engine/answer-gate.ts';
import { type Envelope, errorEnvelope } from '../../core/workflows/engine/envelope.ts';
import { findingsError } from '../../core/workflows/file/finding.ts';
import { definitionFrom, readWorkflow, readWorkflowObject } from '../../core/workflows/file/read-workflow.ts';
import { stringifyDefinition as textOf } from '../../core/workflows/file/stringify-workflow.ts';
import type { CallLimits, ResumeAnswer, ResumeWorkflowOptions, RunWorkflowOptions } from './call-options.ts';
import { checkSource, type WorkflowFinding } from './check-source.ts';
import { refusalEnvelope } from './fit-envelope.ts';
import { namedWorkflows } from './named-workflows.ts';
import { driveWithin, type ResumeRequest, readRequest, resumeIn, runIn } from './puppy.ts';
import type { WorkflowObject, WorkflowSource } from './read-source.ts';
import {
  openStandaloneRuntime,
  type StandaloneRuntime,
  type StandaloneRuntimeOptions,
} from './standalone-runtime.ts';

const limitsOf = ({ timeoutMs = 20_000, maxStdoutBytes = 512_000, signal }: CallLimits) => ({
  timeoutMs: Math.max(200, timeoutMs),
  maxStdoutBytes: Math.max(1_024, maxStdoutBytes),
  ...(signal ? { signal } : {}),
});

async function withRuntime(
  options: StandaloneRuntimeOptions,
  work: (runtime: StandaloneRuntime) => Promise<Envelope>,
): Promise<Envelope> {
  const root = options.root ?? process.cwd();
  const opened = openStandaloneRuntime({ workflows: namedWorkflows(root, () => runtime), ...options, root });
  if (!opened.ok) return refusalEnvelope({ ...opened.error, code: 'io_error' });
  const runtime: StandaloneRuntime = opened.value;
  try {
    return await work(runtime);
  } finally {
    runtime.close();
  }
}

export async function runInProcess(
  source: WorkflowSource,
  options: RunWorkflowOptions = {},
): Promise<Envelope> {
  const read = readRequest(source, options.root ?? process.cwd(), options.cwd);
  if (!read.ok) return refusalEnvelope(read.error);
  const limits = limitsOf(options);
  const cap = read.value.isPipeline ? { maxPipelineOutput: limits.maxStdoutBytes } : {};
  return withRuntime({ ...options, ...cap }, (runtime) =>
    runIn(runtime, read.value, { ...options, ...limits }),
  );
}

const yesOrNo = (approve: boolean, reason: string | undefined): GateReply =>
  approve ? { type: 'approve' } : { type: 'reject', ...(reason === undefined ? {} : { reason }) };

function answerOf({
  approve,
  reason,
  response,
  answer,
  cancel,
}: ResumeAnswer): ResumeRequest['answer'] | null {
  const given: (GateReply | { readonly type: 'cancel_run' })[] = [
    ...(approve === undefined ? [] : [yesOrNo(approve, reason)]),
    ...(response === undefined ? [] : [{ type: 'respond' as const, response: response as never }]),
    ...(answer === undefined ? [] : [{ type: answer }]),
    ...(cancel === true ? [{ type: 'cancel_run' as const }] : []),
  ];
  const [only, ...more] = given;
  return only && more.length === 0 ? only : null;
}

export async function resumeInProcess(
  given: ResumeAnswer,
  options: ResumeWorkflowOptions = {},
): Promise<Envelope> {
  const { token, approvedBy = null } = given;
  if (typeof token !== 'string' || token === '') {
    return errorEnvelope(fail('invalid_input', 'workflows.tokenRequired'));
  }
  const answer = answerOf(given);
  if (!answer) {
    return errorEnvelope(fail('invalid_input', 'workflows.exactlyOneRequired'));
  }
  return withRuntime(options, (runtime) =>
    resumeIn(runtime, { by: { token }, answer, approvedBy, ...limitsOf(options) }),
  );
}

export async function continueInProcess(
  runId: string,
  options: ResumeWorkflowOptions = {},
): Promise<Envelope> {
  return withRuntime(options, (runtime) => driveWithin(runtime, runId, limitsOf(options)));
}

export function checkInProcess(source: WorkflowSource, root: string): readonly WorkflowFinding[] {
  return checkSource(source, root).findings;
}

/** The text of a workflow file in canonical form. Throws if `checkWorkflow` reports an error. */
export function canonicalText(workflow: WorkflowObject | string): string {
  const reading = typeof workflow === 'string' ? readWorkflow(workflow) : readWorkflowObject(workflow);
  const definition = definitionFrom(reading);
  if (!definition.ok) throw new Error(findingsError(reading.findings, null).message);
  return textOf(definition.value);
}
