/**
 * `workflows.list` and `workflows.run` of pipelines: files in the folder `workflows` below the root, by name.
 */

import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { readWorkflow } from '../../core/workflows/file/read-workflow.ts';
import { describeNamed, namedRunOutput, noSuchName } from '../../core/workflows/named-run.ts';
import type { ExactJsonRecord, JsonValue } from '../../core/workflows/pipeline/exact-json.ts';
import type { NamedWorkflowsPort } from '../../core/workflows/pipeline/pipeline-ports.ts';
import { say } from '../../language/say.ts';
import { readSource, readTextFile } from './read-source.ts';
import type { StandaloneRuntime } from './standalone-runtime.ts';

const extension = /\.(puppy|lobster)$/;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => extension.test(name))
      .sort();
  } catch {
    return [];
  }
}

function describe(folder: string, file: string): readonly ExactJsonRecord[] {
  const text = readTextFile(path.join(folder, file));
  const definition = text.ok ? readWorkflow(text.value).definition : null;
  return definition ? [describeNamed(file.replace(extension, ''), definition)] : [];
}

async function runNamed(
  { engine }: StandaloneRuntime,
  file: string,
  root: string,
  args: ExactJsonRecord,
  signal: AbortSignal,
): Promise<Result<readonly JsonValue[]>> {
  const source = readSource({ file }, realpathSync(root));
  if (!source.ok) return source;
  const { definition, children, origin } = source.value;
  const given = args as { readonly [name: string]: Json };
  const started = engine.begin({ definition, children, origin, args: given, initiatedBy: null });
  if (!started.ok) return started;
  return namedRunOutput(engine, started.value.id, null, signal);
}

/** `runtime` is a function because the runners are created first. */
export function namedWorkflows(root: string, runtime: () => StandaloneRuntime): NamedWorkflowsPort {
  const folder = path.join(root, 'workflows');
  return {
    list: async () => ok(namesIn(folder).flatMap((name) => describe(folder, name))),
    async run(name, args, signal) {
      const file = namesIn(folder).find((each) => each.replace(extension, '') === name);
      if (file === undefined) {
        return noSuchName(name, say('workflows.listShowsFolder', { folder }));
      }
      return runNamed(runtime(), path.join(folder, file), root, args, signal);
    },
  };
}
