import type { MethodName } from '../../contract/methods.ts';
import type { Handlers } from '../dispatch.ts';
import type { RunHandlersDeps } from './run-handlers.ts';

const names = [
  ...(['workflows.list', 'workflows.read', 'workflows.check', 'workflows.save', 'workflows.remove'] as const),
  ...(['runs.start', 'runs.list', 'runs.get', 'runs.places', 'runs.step', 'runs.log'] as const),
  ...(['runs.export', 'runs.piece'] as const),
  ...(['runs.cancel', 'runs.retry', 'runs.again', 'runs.decide', 'runs.archive'] as const),
] satisfies readonly MethodName[];

type Rows = Pick<Handlers, (typeof names)[number]>;

async function load(deps: RunHandlersDeps): Promise<Rows> {
  const [{ createFileRows }, { createRunHandlers }] = await Promise.all([
    import('./workflow-file-handlers.ts'),
    import('./run-handlers.ts'),
  ]);
  return { ...createFileRows(deps.files), ...createRunHandlers(deps) };
}

/** All methods about workflow files and runs; their code is loaded with the first call. */
export function createWorkflowRows(deps: RunHandlersDeps): Rows {
  let rows: Promise<Rows> | null = null;
  const lazy = (name: (typeof names)[number]) => async (input: never, principal: never) => {
    rows ??= load(deps);
    const handler = (await rows)[name] as (input: never, principal: never) => unknown;
    return handler(input, principal);
  };
  return Object.fromEntries(names.map((name) => [name, lazy(name)])) as unknown as Rows;
}
