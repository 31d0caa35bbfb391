import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { FindingView, WorkflowFile } from '../../contract/workflow-methods.ts';
import type { ArgDefinition, WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { graphOf } from '../../core/workflows/file/graph.ts';
import { mermaidOf } from '../../core/workflows/file/mermaid.ts';
import { jsonOrEmpty } from '../../core/workflows/views/run-views.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { Handlers } from '../dispatch.ts';
import { type LoadedWorkflow, loadText } from './load-source.ts';
import {
  type FoundWorkflowFile,
  isWorkflow,
  type ReadFile,
  type WorkflowFiles,
  workflowExtensions,
} from './workflow-files.ts';

type FileMethods = Pick<
  Handlers,
  'workflows.list' | 'workflows.read' | 'workflows.check' | 'workflows.save' | 'workflows.remove'
>;

/** A page may read workflow files anywhere, and no other files (T22). */
const noWorkflow = fail('invalid_input', 'workflows.invalidExtension', {
  endings: workflowExtensions.join(', '),
});

const argView = ([name, arg]: [string, ArgDefinition]) => ({
  name,
  type: arg.type,
  description: arg.description ?? '',
  required: arg.default === undefined,
  defaultJson: arg.default === undefined ? '' : jsonOrEmpty(arg.default),
  values: (arg.values ?? []).map((value) => jsonOrEmpty(value)),
});

const argsOf = (definition: WorkflowDefinition | null) => Object.entries(definition?.args ?? {}).map(argView);

const findingView = ({
  severity,
  rule,
  message,
  hint = '',
  path,
  line,
  column,
}: LoadedWorkflow['findings'][number]): FindingView => ({
  severity,
  rule,
  message,
  hint,
  path,
  line,
  column,
});

function viewOf({ definition, findings }: LoadedWorkflow, text: string) {
  const graph = definition && graphOf(definition);
  return {
    findings: findings.map(findingView),
    graph: graph && { ...graph, nodes: [...graph.nodes], edges: [...graph.edges] },
    mermaid: graph ? mermaidOf(graph) : '',
    args: argsOf(definition),
    hash: sha256Hex(text),
  };
}

async function listed(
  files: WorkflowFiles,
  { path, changedAt, example }: FoundWorkflowFile,
): Promise<WorkflowFile> {
  const read = await files.read(path);
  const name = path.split(/[\\/]/).at(-1) ?? path;
  const none = { path, name, description: '', args: [], errors: 1, warnings: 0, changedAt, example };
  if (!read.ok) return none;
  const { definition, findings } = await load(files, read.value);
  const count = (severity: FindingView['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return {
    ...none,
    name: definition?.name ?? name,
    description: definition?.description ?? '',
    args: argsOf(definition),
    errors: count('error'),
    warnings: count('warning'),
  };
}

const load = (files: WorkflowFiles, { text, path }: ReadFile): Promise<LoadedWorkflow> =>
  loadText(text, { file: path, folder: files.folder }, files.read);

/** `hash` identifies the text; the next save compares it. */
export function createFileRows(files: () => Promise<WorkflowFiles>): FileMethods {
  return {
    'workflows.list': async () => {
      const store = await files();
      const all: WorkflowFile[] = [];
      for (const found of await store.list()) all.push(await listed(store, found));
      return ok({ folder: store.folder, files: all });
    },
    'workflows.read': async ({ file }) => {
      if (!isWorkflow(file)) return err(noWorkflow);
      const store = await files();
      const read = await store.read(file);
      if (!read.ok) return read;
      const { path, text } = read.value;
      return ok({ ...viewOf(await load(store, read.value), text), path, text });
    },
    'workflows.check': async ({ text, file }) => {
      const store = await files();
      const place = { file: file ?? null, folder: store.folder };
      return ok(viewOf(await loadText(text, place, store.read), text));
    },
    'workflows.save': async ({ file, text, was }) => {
      const store = await files();
      const isSame = was === null ? null : (before: string): boolean => sha256Hex(before) === was;
      const saved: Result<string> = await store.save(file, text, isSame);
      if (!saved.ok) return saved;
      const path = saved.value;
      return ok({ ...viewOf(await load(store, { path, text }), text), path });
    },
    'workflows.remove': async ({ file }) => {
      const removed = await (await files()).remove(file);
      return removed.ok ? ok({}) : removed;
    },
  };
}
