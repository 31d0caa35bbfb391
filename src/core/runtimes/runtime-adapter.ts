/**
 * The registry of runtimes: one adapter per kind. What a runtime has to carry is in its parts:
 *
 * - streaming, tool steps, usage and retries are events of `RuntimePort.run`;
 * - approvals: `kit().gate` of the resources; while a person decides, the turn lends its slot;
 * - steering: `TurnInput.arrivals`, taken between two steps;
 * - stop and resume: the abort reason of the turn; `interrupted` keeps its state, and the same turn runs again
 *   with the same id, thread key and `firstSeq`;
 * - sessions: one per `threadKey`, recorded in `transcripts`;
 * - budget: `spend`; a missing login or key ends the turn with `unauthenticated`.
 */
import type { RunnableKind } from '../../contract/runtime-kinds.ts';
import type { AgentConfig } from '../agents/agent-config.ts';
import type { Log } from '../ports.ts';
import type { RuntimePort } from '../supervisor/runtime-port.ts';
import type { TurnResources } from './runtime-ports.ts';

export interface RuntimeAgent {
  readonly id: string;
  readonly log: Log;
  /** The settings in force; a change of the kind restarts the agent. */
  config(): AgentConfig;
}

export interface RuntimeAdapter {
  /** Called with the first turn of an agent, and for each claim of a task with that task's resources. */
  open(agent: RuntimeAgent, turns: TurnResources): RuntimePort;
}

/** Loads an adapter with the first turn that needs it. */
export type RuntimeRegistry = Readonly<Record<RunnableKind, () => Promise<RuntimeAdapter>>>;

/** A folder that takes the place of the agent's workspace. */
export interface OtherWorkspace {
  readonly path: string;
  /** Readable, for programs that look there for what the workspace only names. */
  readonly reads: readonly string[];
}

/**
 * A runtime with the agent's resources as `change` adapts them to a task, in `workspace` or, if it is `null`, in the
 * agent's own.
 */
export type TaskRuntimeOf = (
  change: (turns: TurnResources) => TurnResources,
  workspace: OtherWorkspace | null,
) => Promise<RuntimePort>;
