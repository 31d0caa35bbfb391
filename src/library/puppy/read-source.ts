/**
 * Loads the source of a run completely: a workflow with all workflows that it starts, or a pipeline. The run
 * is pinned to what is read here.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { RunOrigin } from '../../core/workflows/engine/events.ts';
import { checkCalls, type OpenCalled, type SubWorkflow } from '../../core/workflows/file/calls.ts';
import type { WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { type Finding, findingsError, hasErrors } from '../../core/workflows/file/finding.ts';
import { pipelineWorkflow } from '../../core/workflows/file/pipeline-workflow.ts';
import {
  maxFileLength,
  readWorkflow,
  readWorkflowObject,
  type WorkflowReading,
} from '../../core/workflows/file/read-workflow.ts';

/** A workflow as an object, with the fields of the file format. */
export type WorkflowObject = { readonly steps: readonly unknown[]; readonly [field: string]: unknown };

/**
 * A string is a file path (`.puppy`, `.lobster`, `.yaml`, `.yml`, `.json`), the text of a file (with `steps:`
 * on its own line), or a pipeline. The object forms are unambiguous.
 */
export type WorkflowSource =
  | string
  | { readonly file: string }
  | { readonly text: string }
  | { readonly pipeline: string }
  | WorkflowObject;

export interface ReadSource {
  readonly definition: WorkflowDefinition;
  readonly children: readonly SubWorkflow[];
  readonly origin: RunOrigin;
  readonly isPipeline: boolean;
}

/** Linear: no whitespace can match in two ways. */
const hasSteps = /^[ \t]*(?:\{[ \t]*)?"?steps"?[ \t]*:/m;
const fileName = /\.(puppy|lobster|ya?ml|json)$/i;

/** `exec cat items.json` ends like a file name: text with spaces is a file only if it exists. */
export function formOf(source: WorkflowSource, cwd = process.cwd()): Exclude<WorkflowSource, string> {
  if (typeof source !== 'string') return source;
  if (hasSteps.test(source) && source.includes('\n')) return { text: source };
  const single = source.trim();
  const isFile =
    fileName.test(single) &&
    !/[|\n]/.test(single) &&
    (!/\s/.test(single) || existsSync(path.resolve(cwd, single)));
  return isFile ? { file: single } : { pipeline: source };
}

export function readTextFile(place: string): Result<string> {
  try {
    const stat = statSync(place);
    if (!stat.isFile()) return err(fail('invalid_input', 'workflows.unknownFile', { name: place }));
    if (stat.size > maxFileLength * 4) return err(fail('too_large', 'workflows.workflowTooLarge', { place }));
    return ok(readFileSync(place, 'utf8'));
  } catch {
    return err(fail('not_found', 'workflows.workflowFileNotFound', { place }));
  }
}

/** Opens called workflows; each file is read once. */
function createOpener(root: string): OpenCalled {
  const files = new Map<string, WorkflowDefinition | null>();
  const read = (id: string): WorkflowDefinition | null => {
    const text = readTextFile(id);
    return text.ok ? readWorkflow(text.value).definition : null;
  };
  return (from, file) => {
    const base = path.isAbsolute(from) ? path.dirname(from) : root;
    let id = path.resolve(base, file);
    try {
      id = realpathSync(id);
    } catch {
      return null;
    }
    const definition = files.get(id) ?? read(id);
    files.set(id, definition);
    return definition && { id, definition };
  };
}

export interface CheckedWorkflow {
  readonly reading: WorkflowReading;
  readonly findings: readonly Finding[];
  readonly children: readonly SubWorkflow[];
}

/** Checks the file and everything that it starts; `file` is absolute, or `null` for a text without a file. */
export function checkReading(reading: WorkflowReading, file: string | null, root: string): CheckedWorkflow {
  const { definition, findings, locate } = reading;
  if (!definition) return { reading, findings, children: [] };
  const calls = checkCalls({ id: file ?? 'the workflow', definition }, createOpener(root), locate);
  return { reading, findings: [...findings, ...calls.findings], children: [...calls.children.values()] };
}

function fromReading(reading: WorkflowReading, file: string | null, cwd: string): Result<ReadSource> {
  const { findings, children } = checkReading(reading, file, cwd);
  if (!reading.definition || hasErrors(findings))
    return err(findingsError(findings, file === null ? null : path.basename(file)));
  return ok({ definition: reading.definition, children, origin: { cwd, file }, isPipeline: false });
}

/** A workflow of one step, without placeholders. */
function fromPipeline(pipeline: string, cwd: string): Result<ReadSource> {
  const read = pipelineWorkflow(pipeline);
  if (!read.ok) return read;
  return ok({ definition: read.value, children: [], origin: { cwd, file: null }, isPipeline: true });
}

/** `cwd` is absolute with links resolved, and the base of relative files. */
export function readSource(source: WorkflowSource, cwd: string): Result<ReadSource> {
  const form = formOf(source, cwd);
  if ('steps' in form) return fromReading(readWorkflowObject(form), null, cwd);
  if ('pipeline' in form && typeof form.pipeline === 'string') return fromPipeline(form.pipeline, cwd);
  if ('text' in form && typeof form.text === 'string') return fromReading(readWorkflow(form.text), null, cwd);
  if (!('file' in form) || typeof form.file !== 'string') {
    return err(fail('invalid_input', 'workflows.pipelineRequired', {}, { help: 'workflows.giveSource' }));
  }
  const file = path.resolve(cwd, form.file);
  const text = readTextFile(file);
  return text.ok ? fromReading(readWorkflow(text.value), realpathSync(file), cwd) : text;
}
