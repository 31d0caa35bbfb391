/**
 * Workflows as a library: `import { runWorkflow } from 'kennel/puppy'`. Runs execute in this process without
 * a daemon. A state folder stores them, so they survive the process, wait for people and resume at the same
 * step. The names exported here are stable.
 */
import type { Envelope } from '../core/workflows/engine/envelope.ts';
import type { ResumeAnswer, ResumeWorkflowOptions, RunWorkflowOptions } from './puppy/call-options.ts';
import type { WorkflowFinding } from './puppy/check-source.ts';
import type { WorkflowObject, WorkflowSource } from './puppy/read-source.ts';

export type { Envelope } from '../core/workflows/engine/envelope.ts';
export type { ResumeAnswer, ResumeWorkflowOptions, RunWorkflowOptions } from './puppy/call-options.ts';
export type { WorkflowFinding as Finding } from './puppy/check-source.ts';
export type { WorkflowObject, WorkflowSource } from './puppy/read-source.ts';

const calls = () => import('./puppy/calls.ts');

/**
 * Runs a workflow or pipeline until it ends, reaches a gate or times out. Everything is validated before the
 * first step; expected failures are returned in the envelope.
 */
export const runWorkflow = async (
  source: WorkflowSource,
  options: RunWorkflowOptions = {},
): Promise<Envelope> => (await calls()).runInProcess(source, options);

/** Answers a run's open gate and continues the run. A rejected answer leaves the gate open. */
export const resumeWorkflow = async (
  answer: ResumeAnswer,
  options: ResumeWorkflowOptions = {},
): Promise<Envelope> => (await calls()).resumeInProcess(answer, options);

/**
 * Continues a run that was interrupted or whose timer is due; a run with an open gate returns a new token.
 */
export const continueWorkflow = async (
  runId: string,
  options: ResumeWorkflowOptions = {},
): Promise<Envelope> => (await calls()).continueInProcess(runId, options);

/** Errors and warnings in a workflow and everything that it starts; runs nothing. */
export const checkWorkflow = async (
  source: WorkflowSource,
  root: string = process.cwd(),
): Promise<readonly WorkflowFinding[]> => (await calls()).checkInProcess(source, root);

/** The text of a workflow file in canonical form. Rejects if `checkWorkflow` reports an error. */
export const stringifyWorkflow = async (workflow: WorkflowObject | string): Promise<string> =>
  (await calls()).canonicalText(workflow);
