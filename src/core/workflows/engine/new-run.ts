/** What a run is written down with before anything happens in it. */
import { ok, type Result } from '../../../contract/result.ts';
import type { Json, WorkflowDefinition } from '../file/definition.ts';
import { definitionText } from '../file/definition-hash.ts';
import { bindArguments } from './arguments.ts';
import type { EnginePorts, NewRun, RunRow } from './engine-ports.ts';
import { childKey, hashText, type Person, type RunEvent, type RunOrigin, type Sha256 } from './events.ts';

export interface StartRequest {
  readonly definition: WorkflowDefinition;
  /** Sub-workflows with who names them: all of them, read once, now. `parent` null: the definition itself. */
  readonly children?: readonly SubWorkflow[];
  readonly args?: { readonly [name: string]: Json };
  /** As the host knows it; null: nobody that it could name. */
  readonly initiatedBy: Person;
  /** Absent: steps work where the host lets them. */
  readonly origin?: RunOrigin;
  /** A second start under the same key is the first one. */
  readonly idempotencyKey?: string;
}

export interface SubWorkflow {
  readonly parent: WorkflowDefinition | null;
  /** As the step names it. */
  readonly file: string;
  readonly definition: WorkflowDefinition;
}

type Args = { readonly [name: string]: Json };

export function newRow(
  { clock, random, owners }: Pick<EnginePorts, 'clock' | 'random' | 'owners'>,
  definition: string,
  idempotencyKey: string | undefined,
): RunRow {
  const now = clock.now();
  return {
    id: random.uuid(),
    definition,
    idempotencyKey: idempotencyKey ?? null,
    status: 'running',
    createdAt: now,
    wakeAt: now,
    // Whoever begins it is the first to drive it.
    owner: owners.self,
  };
}

export type Pinned = Pick<StartRequest, 'definition' | 'children'>;

/** What a run of this would be pinned to: hashes, and the text of each. */
export function pinsOf(sha256: Sha256, wanted: Pinned) {
  const texts = new Map<string, string>();
  const hashOf = (definition: WorkflowDefinition): string => {
    const text = definitionText(definition);
    const hash = hashText(sha256, text);
    texts.set(hash, text);
    return hash;
  };
  const definition = hashOf(wanted.definition);
  const children: { readonly [key: string]: string } = Object.fromEntries(
    (wanted.children ?? []).map((child) => {
      const parent = child.parent ? hashOf(child.parent) : definition;
      return [childKey(parent, child.file), hashOf(child.definition)];
    }),
  );
  return { definition, children, texts };
}

export function newRun(ports: EnginePorts, request: StartRequest): Result<NewRun & { readonly args: Args }> {
  const args = bindArguments(request.definition, request.args ?? {});
  if (!args.ok) return args;
  const { definition, children, texts } = pinsOf(ports.sha256, request);
  const { initiatedBy } = request;
  const row = newRow(ports, definition, request.idempotencyKey);
  const origin = request.origin ? { origin: request.origin } : {};
  const event: RunEvent = {
    type: 'run_created',
    definition,
    children,
    args: args.value,
    initiatedBy,
    ...origin,
  };
  const definitions = [...texts].map(([hash, text]) => ({ hash, text }));
  return ok({ row, definitions, args: args.value, event });
}
