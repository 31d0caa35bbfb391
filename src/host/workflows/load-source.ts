import { basename, dirname, resolve } from 'node:path';
import { err, ok, type Result } from '../../contract/result.ts';
import { callKey, checkCalls, type SubWorkflow } from '../../core/workflows/file/calls.ts';
import type { Step, WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { type Finding, findingsError, hasErrors } from '../../core/workflows/file/finding.ts';
import { pipelineWorkflow } from '../../core/workflows/file/pipeline-workflow.ts';
import { readWorkflow } from '../../core/workflows/file/read-workflow.ts';
import { childrenOf } from '../../core/workflows/file/step-kinds.ts';
import type { ReadFile } from './workflow-files.ts';

// Loads a workflow with all workflows that it starts, completely, before anything runs. The run is pinned to
// what is read here.

/** Reads a file; each caller permits its own folders. */
export type ReadWorkflowFile = (path: string) => Promise<Result<ReadFile>>;

export interface LoadedWorkflow {
  /** `null` if the findings contain an error. */
  readonly definition: WorkflowDefinition | null;
  readonly children: readonly SubWorkflow[];
  readonly findings: readonly Finding[];
  /** Absolute, links resolved; `null` for a text without a file. */
  readonly file: string | null;
  /** Files that it starts, directly or indirectly: absolute, links not resolved. */
  readonly starts: readonly string[];
}

export type RunnableWorkflow = LoadedWorkflow & { readonly definition: WorkflowDefinition };

const maxFiles = 200;

const namedFiles = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap((step) => [
    ...(step.kind === 'workflow' ? [step.file] : []),
    ...childrenOf(step).flatMap((child) => namedFiles(child.steps)),
  ]);

interface Opened {
  readonly id: string;
  readonly definition: WorkflowDefinition;
}

/** Everything below one definition, breadth first; each file is read once. */
async function openAll(
  root: { readonly id: string; readonly folder: string; readonly definition: WorkflowDefinition },
  read: ReadWorkflowFile,
): Promise<{ readonly opened: ReadonlyMap<string, Opened>; readonly paths: readonly string[] }> {
  const opened = new Map<string, Opened>();
  const files = new Map<string, Opened | null>();
  const queue = [root];
  for (let next = queue.shift(); next && files.size < maxFiles; next = queue.shift()) {
    for (const file of namedFiles(next.definition.steps)) {
      if (opened.has(callKey(next.id, file))) continue;
      const path = resolve(next.folder, file);
      const known = files.get(path);
      const found = known === undefined ? await readOne(path, read) : known;
      files.set(path, found);
      if (!found) continue;
      opened.set(callKey(next.id, file), found);
      if (known === undefined) queue.push({ ...found, folder: dirname(found.id) });
    }
  }
  return { opened, paths: [...files.keys()] };
}

async function readOne(path: string, read: ReadWorkflowFile) {
  const text = await read(path);
  const definition = text.ok ? readWorkflow(text.value.text).definition : null;
  return text.ok && definition ? { id: text.value.path, definition } : null;
}

/** `folder` is the base of relative names in a text without a file. */
export async function loadText(
  text: string,
  place: { readonly file: string | null; readonly folder: string },
  read: ReadWorkflowFile,
): Promise<LoadedWorkflow> {
  const { definition, findings, locate } = readWorkflow(text);
  const { file } = place;
  if (!definition) return { definition: null, children: [], findings, file, starts: [] };
  const id = file ?? 'the workflow';
  const folder = file === null ? place.folder : dirname(file);
  const { opened, paths } = await openAll({ id, folder, definition }, read);
  const calls = checkCalls(
    { id, definition },
    (from, named) => opened.get(callKey(from, named)) ?? null,
    locate,
  );
  const all = [...findings, ...calls.findings];
  // Breadth first: a standing permission holds a digest of the sub-workflows in this order (T14).
  const children = [...opened.keys()].flatMap((key) => calls.children.get(key) ?? []);
  return { definition: hasErrors(all) ? null : definition, children, findings: all, file, starts: paths };
}

export async function loadFile(path: string, read: ReadWorkflowFile): Promise<Result<LoadedWorkflow>> {
  const found = await read(path);
  if (!found.ok) return found;
  return ok(
    await loadText(found.value.text, { file: found.value.path, folder: dirname(found.value.path) }, read),
  );
}

/** A workflow of one step, without placeholders. */
export function loadPipeline(pipeline: string): Result<RunnableWorkflow> {
  const read = pipelineWorkflow(pipeline);
  return read.ok ? ok({ definition: read.value, children: [], findings: [], file: null, starts: [] }) : read;
}

/** An error if the findings contain one. */
export const runnable = (loaded: LoadedWorkflow): Result<RunnableWorkflow> =>
  loaded.definition
    ? ok({ ...loaded, definition: loaded.definition })
    : err(findingsError(loaded.findings, loaded.file === null ? null : basename(loaded.file)));
