/** What a run is written down with before anything happens in it. */
import { type AppError, appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { childrenOf, type Json, type Step, type WorkflowDefinition } from '../file/definition.ts';
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

const needsOther = (steps: readonly Step[]): boolean =>
  steps.some(
    (step) =>
      (step.kind === 'input' ? step.input : step.approval)?.approvers.notInitiator === true ||
      childrenOf(step).some((child) => needsOther(child.steps)),
  );

/** Who started a run is known from its beginning or never: a question that nobody may answer is not begun. */
function initiatorFault({ definition, children = [], initiatedBy }: StartRequest): AppError | null {
  const all = [definition, ...children.map((child) => child.definition)];
  if (initiatedBy !== null || !all.some(({ steps }) => needsOther(steps))) return null;
  const message =
    'Somebody other than the initiator must decide in this workflow, and nobody knows who starts it.';
  return appError('forbidden', message, { hint: 'Start it under a known identity.' });
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

/** The arguments of a run that may begin, with defaults; an error says why it may not. */
export function admitRun(request: StartRequest): Result<Args> {
  const args = bindArguments(request.definition, request.args ?? {});
  const fault = args.ok ? initiatorFault(request) : null;
  return fault ? err(fault) : args;
}

export function newRun(ports: EnginePorts, request: StartRequest): Result<NewRun & { readonly args: Args }> {
  const args = admitRun(request);
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
