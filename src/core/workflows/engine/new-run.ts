/** Builds the first record of a run. */
import { type AppError, appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { say } from '../../../language/say.ts';
import type { SubWorkflow } from '../file/calls.ts';
import type { Json, Step, WorkflowDefinition } from '../file/definition.ts';
import { definitionText } from '../file/definition-hash.ts';
import { childrenOf } from '../file/step-kinds.ts';
import { bindArguments } from './arguments.ts';
import type { EnginePorts, NewRun, RunRow } from './engine-ports.ts';
import { childKey, hashText, type Person, type RunEvent, type RunOrigin, type Sha256 } from './events.ts';

export interface StartRequest {
  readonly definition: WorkflowDefinition;
  /** All sub-workflows, read once, now. */
  readonly children?: readonly SubWorkflow[];
  readonly args?: { readonly [name: string]: Json };
  /** As the host knows it; `null` if the host cannot name the person. */
  readonly initiatedBy: Person;
  /** Absent: steps run in the host's default directory. */
  readonly origin?: RunOrigin;
  /** A second start under the same key returns the first run. */
  readonly idempotencyKey?: string;
}

const needsOther = (steps: readonly Step[]): boolean =>
  steps.some(
    (step) =>
      (step.kind === 'input' ? step.input : step.approval)?.approvers.notInitiator === true ||
      childrenOf(step).some((child) => needsOther(child.steps)),
  );

/**
 * The initiator of a run cannot be learnt later, so a workflow with a question that no person may answer does
 * not start.
 */
function initiatorFault({ definition, children = [], initiatedBy }: StartRequest): AppError | null {
  const all = [definition, ...children.map((child) => child.definition)];
  if (initiatedBy !== null || !all.some(({ steps }) => needsOther(steps))) return null;
  const message = say('workflows.initiatorIdentityRequired');
  return appError('forbidden', message, { hint: say('workflows.startIdentified') });
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
    // The program that starts the run is the first to drive it.
    owner: owners.self,
  };
}

export type Pinned = Pick<StartRequest, 'definition' | 'children'>;

/** Hashes that a run of this definition would be pinned to, with the text of each. */
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

/** Checked arguments with defaults, or the error that keeps the run from starting. */
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
