/**
 * Restore points of what a program changes itself: one per allowed call, from the answer of the gate to the end
 * of its step. A call whose state before cannot be stored is denied.
 */
import type { ApprovalGate, GateCall, GateDecision } from '../../approvals/approval-gate.ts';
import { StoreError } from '../../lib/store-error.ts';
import type { Log } from '../../ports.ts';
import type { RuntimeEvent } from '../../supervisor/runtime-port.ts';
import { failureText } from '../../tools/output.ts';
import { type CoverToolDeps, changedPaths } from '../../undo/cover-tool.ts';
import type { BegunPoint } from '../../undo/restore-points.ts';
import type { EventChannel } from '../event-channel.ts';
import type { TurnSteps } from '../turn-steps.ts';

export type ProgramUndoDeps = Omit<CoverToolDeps, 'log'>;

export class ProgramUndo {
  readonly #deps: ProgramUndoDeps;
  readonly #log: Log;
  readonly #open = new Map<string, BegunPoint>();
  #steps: Pick<TurnSteps, 'restored'> | null = null;
  #ending: Promise<void> = Promise.resolve();

  constructor(deps: ProgramUndoDeps, log: Log) {
    this.#deps = deps;
    this.#log = log;
  }

  /** The steps that show the points. */
  showIn(steps: Pick<TurnSteps, 'restored'>): void {
    this.#steps = steps;
  }

  /** The same gate; an allowed call that changes files is answered once its state before is durable. */
  around(gate: ApprovalGate): ApprovalGate {
    return {
      check: async (call, signal, ready) => {
        const decision = await gate.check(call, signal, ready);
        return decision.type === 'allow' ? this.#begun(call, decision, signal) : decision;
      },
    };
  }

  /** The same channel; a step that ends settles the point of its call. */
  watching(channel: EventChannel<RuntimeEvent>): EventChannel<RuntimeEvent> {
    return {
      ...channel,
      push: (event) => {
        channel.push(event);
        if (event.type === 'step' && event.step.endedAt !== null) this.#end(event.step.callId);
      },
    };
  }

  /** Resolves once every point is settled. The program must not act any more. */
  async settled(): Promise<void> {
    for (const callId of this.#open.keys()) this.#end(callId);
    await this.#ending;
  }

  async #begun(call: GateCall, allowed: GateDecision, signal: AbortSignal): Promise<GateDecision> {
    const { agentId, turnId, threadKey, callId, tool, assessment } = call;
    const { paths, gaps } = changedPaths(assessment, this.#deps);
    if (paths.length === 0) return allowed;
    // The state after the call before is complete, and does not contain what this one changes.
    await this.#ending;
    const points = await this.#deps.points();
    const { title } = assessment.preview;
    const origin = { agentId, turnId, threadKey, callId, tool, title };
    const begun = points.ok ? await points.value.begin({ ...origin, paths, gaps }, signal) : points;
    if (!begun.ok) {
      const reason = `No restore point could be saved, so nothing was run. ${failureText(begun.error)}`;
      return { type: 'deny', by: 'policy', reason };
    }
    this.#open.set(callId, begun.value);
    return allowed;
  }

  #end(callId: string): void {
    const point = this.#open.get(callId);
    if (!point) return;
    this.#open.delete(callId);
    this.#ending = this.#ending.then(async () => {
      try {
        const id = await point.end();
        if (id !== null) this.#steps?.restored(callId, id);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        // The point stays open with its state before; the next start settles it.
        this.#log.warn('restore_point_open', { code: error.code, message: error.message });
      }
    });
  }
}
