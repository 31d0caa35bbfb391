/**
 * Workflows as a library: `import { runWorkflow } from 'kennel/puppy'`. In this process, without a daemon; runs survive it
 * in a state folder, wait there for people, and go on exactly where they were. Stable are the names exported here.
 */
import type { Envelope } from '../core/workflows/engine/envelope.ts';
import type { Finding } from '../core/workflows/file/finding.ts';
import type { ResumeAnswer, ResumeWorkflowOptions, RunWorkflowOptions } from './puppy/call-options.ts';
import type { WorkflowObject, WorkflowSource } from './puppy/read-source.ts';

export type { Envelope } from '../core/workflows/engine/envelope.ts';
export type { Finding } from '../core/workflows/file/finding.ts';
export type { ResumeAnswer, ResumeWorkflowOptions, RunWorkflowOptions } from './puppy/call-options.ts';
export type { WorkflowObject, WorkflowSource } from './puppy/read-source.ts';

const calls = () => import('./puppy/calls.ts');

/**
 * Runs a workflow or a pipeline until it ends, waits for somebody, or takes too long. Everything is checked before the
 * first step; expected failures are in the envelope.
 */
export const runWorkflow = async (
  source: WorkflowSource,
  options: RunWorkflowOptions = {},
): Promise<Envelope> => (await calls()).runWorkflow(source, options);

/** Answers the question that a run waits with, and goes on. A refused answer leaves the question open. */
export const resumeWorkflow = async (
  answer: ResumeAnswer,
  options: ResumeWorkflowOptions = {},
): Promise<Envelope> => (await calls()).resumeWorkflow(answer, options);

/** Goes on with a run that was interrupted, or whose time has come; one that waits for somebody is told with a new token. */
export const continueWorkflow = async (
  runId: string,
  options: ResumeWorkflowOptions = {},
): Promise<Envelope> => (await calls()).continueWorkflow(runId, options);

/** What is wrong or doubtful in a workflow and in all that it starts; nothing runs. */
export const checkWorkflow = async (
  source: WorkflowSource,
  root: string = process.cwd(),
): Promise<readonly Finding[]> => (await calls()).checkWorkflow(source, root);

/** The text of a workflow file, in one spelling throughout. Rejects where `checkWorkflow` tells an error. */
export const stringifyWorkflow = async (workflow: WorkflowObject | string): Promise<string> =>
  (await calls()).stringifyWorkflow(workflow);
