import { realpathSync } from 'node:fs';
import { basename, dirname, extname, relative, sep } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Engine } from '../../core/workflows/engine/engine.ts';
import type { StepCall } from '../../core/workflows/engine/engine-ports.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { describeNamed, namedRunOutput, noSuchName } from '../../core/workflows/named-run.ts';
import type { NamedWorkflowsPort } from '../../core/workflows/pipeline/pipeline-ports.ts';
import { say } from '../../language/say.ts';
import { loadFile, runnable } from './load-source.ts';
import type { RunSlots } from './run-slots.ts';
import type { FoundWorkflowFile, WorkflowFiles } from './workflow-files.ts';

export interface NamedDeps {
  readonly files: () => Promise<WorkflowFiles>;
  readonly engine: () => Pick<Engine, 'start' | 'answer' | 'cancel'>;
  readonly slots: Pick<RunSlots, 'share'>;
  /** The step that asks, or `null`. */
  readonly caller: () => StepCall | null;
}

/** The path below the folder without extension: `team/weekly`. */
function nameOf({ path, example }: FoundWorkflowFile, folder: string): string {
  const name = example ? basename(path) : relative(folder, path).split(sep).join('/');
  return name.slice(0, name.length - extname(name).length);
}

const notForAgents = err(
  fail('forbidden', 'workflows.namedRunForbidden', {}, { help: 'workflows.letAgentRun' }),
);

/** The operator's workflows, then the examples. Of two files with the same name the first one wins. */
export function hostNamedWorkflows({ files, engine, slots, caller }: NamedDeps): NamedWorkflowsPort {
  return {
    async list() {
      const { folder, list, readOwn } = await files();
      const found = await Promise.all(
        (await list()).map(async (file) => {
          const loaded = await loadFile(file.path, readOwn);
          const definition = loaded.ok ? loaded.value.definition : null;
          return definition ? [describeNamed(nameOf(file, folder), definition)] : [];
        }),
      );
      return ok(found.flat());
    },
    async run(name, args, signal): Promise<Result<readonly Json[]>> {
      const call = caller();
      // The started workflow would have rights that a workflow written by an agent has not (T9).
      if (!call || call.origin?.writtenBy !== undefined) return notForAgents;
      const { folder, list, readOwn } = await files();
      const file = (await list()).find((each) => nameOf(each, folder) === name);
      if (!file) return noSuchName(name, say('workflows.listShowsExamples'));
      const loaded = await loadFile(file.path, readOwn);
      const ready = loaded.ok ? runnable(loaded.value) : loaded;
      if (!ready.ok) return ready;
      const { definition, children } = ready.value;
      const cwd = realpathSync(file.example ? folder : dirname(file.path));
      const { initiatedBy } = call;
      const origin = { cwd, file: ready.value.file };
      const given = args as { readonly [name: string]: Json };
      const started = engine().start({ definition, children, origin, args: given, initiatedBy });
      if (!started.ok) return started;
      const { id } = started.value;
      return slots.share(call.run, id, signal, () => namedRunOutput(engine(), id, initiatedBy, signal));
    },
  };
}
