import type { MethodName } from '../../contract/methods.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';

const names = [
  ...(['workflows.list', 'workflows.read', 'workflows.check', 'workflows.save', 'workflows.remove'] as const),
  ...(['runs.start', 'runs.list', 'runs.get', 'runs.places', 'runs.step', 'runs.log'] as const),
  ...(['runs.export', 'runs.piece'] as const),
  ...(['runs.cancel', 'runs.retry', 'runs.again', 'runs.decide'] as const),
] satisfies readonly MethodName[];

type Rows = Pick<Handlers, (typeof names)[number]>;

async function load(context: HostContext): Promise<Rows> {
  const [{ createFileRows }, { createRunHandlers }] = await Promise.all([
    import('./file-handlers.ts'),
    import('./run-handlers.ts'),
  ]);
  const files = () => context.workflows.files();
  return { ...createFileRows(files), ...createRunHandlers(context, files) };
}

/** All methods about workflow files and runs; their code is loaded with the first call. */
export function createWorkflowRows(context: HostContext): Rows {
  let rows: Promise<Rows> | null = null;
  const lazy = (name: (typeof names)[number]) => async (input: never, principal: never) => {
    rows ??= load(context);
    const handler = (await rows)[name] as (input: never, principal: never) => unknown;
    return handler(input, principal);
  };
  return Object.fromEntries(names.map((name) => [name, lazy(name)])) as unknown as Rows;
}
