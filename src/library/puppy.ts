/**
 * Workflows as a library: `import { runWorkflow } from 'kennel/puppy'`. In this process, without a daemon; runs survive it
 * in a state folder, wait there for people, and go on exactly where they were. Stable are the names exported here.
 */
import { appError } from '../contract/errors.ts';
import type { Answer } from '../core/workflows/engine/decide.ts';
import { type Envelope, errorEnvelope } from '../core/workflows/engine/envelope.ts';
import type { Finding } from '../core/workflows/file/finding.ts';
import { definitionFrom, readWorkflow, readWorkflowObject } from '../core/workflows/file/read-workflow.ts';
import { stringifyWorkflow as textOf } from '../core/workflows/file/stringify-workflow.ts';
import { checkSource } from './puppy/check-source.ts';
import { refusalEnvelope } from './puppy/fit-envelope.ts';
import { namedWorkflows } from './puppy/named-workflows.ts';
import { driveWithin, type ResumeRequest, readRequest, resumeIn, runIn } from './puppy/puppy.ts';
import { findingsError, type WorkflowObject, type WorkflowSource } from './puppy/read-source.ts';
import { openWorkshop, type Workshop, type WorkshopOptions } from './puppy/workshop.ts';

export type { Envelope } from '../core/workflows/engine/envelope.ts';
export type { Finding } from '../core/workflows/file/finding.ts';
export type { WorkflowObject, WorkflowSource } from './puppy/read-source.ts';

interface CallLimits {
  /** ms; 20,000 when absent, at least 200. What runs then is ended, and the run cancelled. */
  readonly timeoutMs?: number;
  /** Bytes of the envelope; 512,000 when absent, at least 1,024. */
  readonly maxStdoutBytes?: number;
  /** Lays the run down: `continueWorkflow` goes on with it. */
  readonly signal?: AbortSignal;
}

export interface RunWorkflowOptions extends CallLimits, Omit<WorkshopOptions, 'maxPipelineOutput'> {
  readonly args?: Readonly<Record<string, unknown>>;
  /** The same as JSON text. */
  readonly argsJson?: string;
  /** Where steps work: relative to `root`, and inside it. */
  readonly cwd?: string;
  /** Whom your program knows to have asked for this; who that is may not approve where a file says so. */
  readonly initiatedBy?: string | null;
  /** A second start under the same key is the first one. */
  readonly idempotencyKey?: string;
}

/** Exactly one of `approve`, `response`, `answer` and `cancel`. */
export interface ResumeAnswer {
  /** As the envelope before gave it. */
  readonly token: string;
  readonly approve?: boolean;
  /** To a structured question. */
  readonly response?: unknown;
  /** To a step that was interrupted: whether it was done. */
  readonly answer?: 'done' | 'repeat' | 'cancel';
  /** Ends the whole run. */
  readonly cancel?: boolean;
  /** Whom your program knows to have decided; a file may ask for a name. */
  readonly approvedBy?: string | null;
}

export interface ResumeWorkflowOptions extends CallLimits, Omit<WorkshopOptions, 'maxPipelineOutput'> {}

const limitsOf = ({ timeoutMs = 20_000, maxStdoutBytes = 512_000, signal }: CallLimits) => ({
  timeoutMs: Math.max(200, timeoutMs),
  maxStdoutBytes: Math.max(1_024, maxStdoutBytes),
  ...(signal ? { signal } : {}),
});

async function inWorkshop(
  options: WorkshopOptions,
  work: (workshop: Workshop) => Promise<Envelope>,
): Promise<Envelope> {
  const root = options.root ?? process.cwd();
  const opened = openWorkshop({ workflows: namedWorkflows(root, () => workshop), ...options, root });
  if (!opened.ok) return refusalEnvelope({ ...opened.error, code: 'io_error' });
  const workshop: Workshop = opened.value;
  try {
    return await work(workshop);
  } finally {
    workshop.close();
  }
}

/**
 * Runs a workflow or a pipeline until it ends, waits for somebody, or takes too long. Everything is checked before the
 * first step; expected failures are in the envelope.
 */
export async function runWorkflow(
  source: WorkflowSource,
  options: RunWorkflowOptions = {},
): Promise<Envelope> {
  const read = readRequest(source, options.root ?? process.cwd(), options.cwd);
  if (!read.ok) return refusalEnvelope(read.error);
  const limits = limitsOf(options);
  const cap = read.value.isPipeline ? { maxPipelineOutput: limits.maxStdoutBytes } : {};
  return inWorkshop({ ...options, ...cap }, (workshop) =>
    runIn(workshop, read.value, { ...options, ...limits }),
  );
}

function answerOf({ approve, response, answer, cancel }: ResumeAnswer): ResumeRequest['answer'] | null {
  const given: (Answer | { readonly type: 'cancel_run' })[] = [
    ...(approve === undefined ? [] : [{ type: approve ? ('approve' as const) : ('reject' as const) }]),
    ...(response === undefined ? [] : [{ type: 'respond' as const, response: response as never }]),
    ...(answer === undefined ? [] : [{ type: answer }]),
    ...(cancel === true ? [{ type: 'cancel_run' as const }] : []),
  ];
  const [only, ...more] = given;
  return only && more.length === 0 ? only : null;
}

/** Answers the question that a run waits with, and goes on. A refused answer leaves the question open. */
export async function resumeWorkflow(
  given: ResumeAnswer,
  options: ResumeWorkflowOptions = {},
): Promise<Envelope> {
  const { token, approvedBy = null } = given;
  if (typeof token !== 'string' || token === '') {
    return errorEnvelope(appError('invalid_input', 'token required'));
  }
  const answer = answerOf(given);
  if (!answer) {
    return errorEnvelope(
      appError('invalid_input', 'exactly one of approve, response, answer and cancel required'),
    );
  }
  return inWorkshop(options, (workshop) =>
    resumeIn(workshop, { by: { token }, answer, approvedBy, ...limitsOf(options) }),
  );
}

/** Goes on with a run that was interrupted, or whose time has come; one that waits for somebody is told with a new token. */
export async function continueWorkflow(
  runId: string,
  options: ResumeWorkflowOptions = {},
): Promise<Envelope> {
  return inWorkshop(options, (workshop) => driveWithin(workshop, runId, limitsOf(options)));
}

/** What is wrong or doubtful in a workflow and in all that it starts; nothing runs. */
export function checkWorkflow(source: WorkflowSource, root = process.cwd()): readonly Finding[] {
  return checkSource(source, root).findings;
}

/** The text of a workflow file, with everything in one spelling. Throws where `checkWorkflow` tells an error. */
export function stringifyWorkflow(workflow: WorkflowObject | string): string {
  const reading = typeof workflow === 'string' ? readWorkflow(workflow) : readWorkflowObject(workflow);
  const definition = definitionFrom(reading);
  if (!definition.ok) throw new Error(findingsError(reading.findings, null).message);
  return textOf(definition.value);
}
