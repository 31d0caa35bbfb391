import type { Approval } from '../../contract/approvals.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ApprovalCentre } from '../../core/approvals/approval-centre.ts';
import type { ApprovalRow } from '../../core/approvals/approval-ports.ts';
import type { Surface } from '../../core/approvals/decide-once.ts';
import {
  type Answerer,
  isOutside,
  type OutsideVerdict,
  unanswerable,
} from '../../core/approvals/outside-question.ts';
import { isInChannel } from '../../core/approvals/waiting-view.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, Log } from '../../core/ports.ts';
import {
  type DecidedGate,
  type Decision,
  findGate,
  type GateReply,
} from '../../core/workflows/engine/answer-gate.ts';
import type { Engine } from '../../core/workflows/engine/engine.ts';
import type { GateRow, Gates, Journal, OpenGate } from '../../core/workflows/engine/engine-ports.ts';
import type { WorkflowGateDecision } from '../../core/workflows/engine/events.ts';
import type { GateState, RunState } from '../../core/workflows/engine/run-state.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { sha256 } from '../../services/workflows/sha256.ts';
import { type AskedIn, gateFromState, questionOf } from './gate-text.ts';

// Connects gates of runs to the approval centre. The journal is the source of truth: the centre is updated
// after it, and a start repeats updates that a crash cut off.

export interface GateQuestionsDeps {
  /** `null` while the vault is closed. */
  readonly centre: () => ApprovalCentre | null;
  readonly journal: Pick<Journal, 'openGates' | 'gate' | 'gateByShortId' | 'gateByToken'>;
  /** The engine is created later; a decision wakes the driver of its run. */
  readonly engine: () => Pick<Engine, 'show' | 'decide'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly log: Log;
  readonly parties: {
    askedIn(state: RunState, gate: GateState): AskedIn;
    /** The operator's name for the approver rule of this gate. */
    approverName(state: RunState | null, gate: GateState | null): string;
  };
}

export interface GateQuestions {
  readonly gates: Gates;
  /** For the centre's surfaces. */
  readonly answerer: Answerer;
  /** `null` if no such gate exists. */
  find(by: Decision['by']): GateRow | null;
  /** Decides by token or short id, for the operator's own clients. */
  decide(by: Decision['by'], answer: GateReply, surface: Surface): Result<DecidedGate>;
  /** Shows every open gate in the centre and withdraws all others. */
  sync(): void;
  /** A channel with the approvers of an open question may be available now. */
  roomsChanged(): void;
}

/** `gate` is set if the centre is deciding it and gets the result as return value. */
interface Deciding {
  readonly gate: string | null;
  readonly surface: Surface;
}

/** ms between attempts to send unsent questions to the chat. */
const announceMs = 5_000;
const maxAnnounced = 20;

/** With approvers named, a question sent to the operator alone may have to move to a channel. */
const isSaid = ({ approval, post }: ApprovalRow): boolean =>
  post !== null && (approval.gate?.named.length === 0 || isInChannel({ post }));

class Untold extends Error {}

const states: Readonly<Record<WorkflowGateDecision | 'withdrawn', OutsideVerdict['state']>> = {
  approve: 'allowed',
  answer: 'allowed',
  done: 'allowed',
  repeat: 'allowed',
  reject: 'denied',
  cancel: 'denied',
  timeout: 'expired',
  withdrawn: 'cancelled',
};
const ownSurfaces: Partial<Record<WorkflowGateDecision | 'withdrawn', Surface>> = { timeout: 'expiry' };

/** A rejection of a question that accepts none is refused, and the question stays open. */
function engineAnswer(answer: Parameters<Answerer>[1]['answer']): GateReply {
  switch (answer.type) {
    case 'allow':
      return { type: 'approve' };
    case 'deny':
      return { type: 'reject', reason: answer.reason };
    case 'respond':
      return { type: 'respond', response: answer.response as Json };
    case 'settle':
      return { type: answer.how };
  }
}

export function createGateQuestions(deps: GateQuestionsDeps): GateQuestions {
  return new HostGateQuestions(deps);
}

class HostGateQuestions implements GateQuestions {
  readonly gates: Gates;
  readonly answerer: Answerer;
  readonly #deps: GateQuestionsDeps;
  /** The decision in progress: the surface to record, and the gate that needs no notification. */
  #deciding: Deciding | null = null;
  #nextAnnouncing = 0;
  /** Questions tried lately, so that others get their turn. */
  #announced: ReadonlySet<string> = new Set();
  /** An update of the centre failed; the next check repeats it. */
  #behind = true;

  constructor(deps: GateQuestionsDeps) {
    this.#deps = deps;
    this.gates = {
      opened: (gate) => this.#safely(() => this.#show(gate.run, gate.id)),
      reminded: (gate) => this.#safely(() => this.#reminded(gate)),
      closed: (gate, decision) => this.#safely(() => this.#closed(gate, decision)),
    };
    this.answerer = (approval, given) => this.#answer(approval, given);
  }

  find(by: Decision['by']): GateRow | null {
    return findGate(this.#deps.journal, sha256, by);
  }

  decide(by: Decision['by'], answer: GateReply, surface: Surface): Result<DecidedGate> {
    const gate = this.find(by);
    return this.#during({ gate: null, surface }, () => {
      const actor = { kind: 'person', id: this.#operator(gate), owner: true } as const;
      const decided = this.#deps.engine().decide({ by, actor, answer });
      if (decided.ok && decided.value.decision === null) this.#voted(decided.value.run, decided.value.gate);
      return decided;
    });
  }

  sync(): void {
    this.#safely(() => {
      if (this.#behind) this.#syncAll();
      this.#behind = false;
    });
    this.#safely(() => this.#announce());
  }

  roomsChanged(): void {
    this.#nextAnnouncing = 0;
    this.#safely(() => this.#announce());
  }

  #during<T>(deciding: Deciding, work: () => T): T {
    this.#deciding = deciding;
    try {
      return work();
    } finally {
      this.#deciding = null;
    }
  }

  #operator(gate: GateRow | null): string {
    const found = gate && this.#gateOf(gate.run, gate.id);
    return this.#deps.parties.approverName(found?.state ?? null, found?.gate ?? null);
  }

  #gateOf(run: string, id: string): { readonly state: RunState; readonly gate: GateState } | null {
    const state = this.#deps.engine().show(run);
    const gate = state?.gates.get(id);
    return state && gate ? { state, gate } : null;
  }

  #answer(approval: Approval, { answer, surface, by }: Parameters<Answerer>[1]): ReturnType<Answerer> {
    const row = this.#deps.journal.gate(approval.id);
    const id = by ?? this.#operator(row);
    const decided = this.#during({ gate: approval.id, surface }, () =>
      this.#deps.engine().decide({
        by: { gate: approval.id },
        actor: { kind: 'person', id, owner: by === undefined },
        answer: engineAnswer(answer),
      }),
    );
    if (!decided.ok) return decided;
    const { run, decision } = decided.value;
    if (decision !== null) return ok({ type: 'decided', state: states[decision], as: decision, by: id });
    const found = this.#gateOf(run, approval.id);
    if (!found) return err(unanswerable);
    return ok({
      type: 'agreed',
      by: id,
      gate: gateFromState(this.#deps.parties.askedIn(found.state, found.gate), found.gate),
    });
  }

  #show(run: string, id: string): void {
    const found = this.#gateOf(run, id);
    if (!found || found.gate.decision !== null) return;
    this.#centre().show(questionOf(this.#deps.parties.askedIn(found.state, found.gate), found.gate));
  }

  #voted(run: string, id: string): void {
    const found = this.#gateOf(run, id);
    if (found)
      this.#centre().amend(id, {
        gate: gateFromState(this.#deps.parties.askedIn(found.state, found.gate), found.gate),
      });
  }

  #reminded(gate: OpenGate): void {
    this.#show(gate.run, gate.id);
    this.#centre().amend(gate.id, { quietUntil: null, remindedAt: this.#deps.clock.now() });
  }

  #closed(id: string, decision: WorkflowGateDecision | 'withdrawn'): void {
    // The centre itself decides it and records the result.
    if (this.#deciding?.gate === id) return;
    const run = this.#deps.journal.gate(id)?.run;
    const gate = run === undefined ? undefined : this.#gateOf(run, id)?.gate;
    const { by, reason = '' } = gate ?? { by: null };
    const surface = this.#deciding?.surface ?? ownSurfaces[decision] ?? 'host';
    this.#centre().follow(id, { state: states[decision], as: decision, by: by ?? '', reason, surface });
  }

  /** After a start, and after failed updates of the centre. */
  #syncAll(): void {
    const centre = this.#centre();
    for (const { id, run } of this.#deps.journal.openGates()) if (!centre.find(id).ok) this.#show(run, id);
    for (const { approval } of centre.waiting()) {
      if (!isOutside(approval)) continue;
      const row = this.#deps.journal.gate(approval.id);
      // A question without an open gate in the journal is closed.
      if (!row || row.decision !== null) this.#closed(approval.id, row?.decision ?? 'withdrawn');
    }
  }

  /** Sends questions to the chat for which no agent was available before; a few at a time. */
  #announce(): void {
    const now = this.#deps.clock.monotonic();
    if (now < this.#nextAnnouncing) return;
    this.#nextAnnouncing = now + announceMs;
    const centre = this.#deps.centre();
    const unsaid = (centre?.waiting() ?? []).filter((row) => isOutside(row.approval) && !isSaid(row));
    const fresh = unsaid.filter(({ approval }) => !this.#announced.has(approval.id));
    const begun = fresh.length > 0 ? this.#announced : new Set<string>();
    const next = (fresh.length > 0 ? fresh : unsaid).slice(0, maxAnnounced);
    this.#announced = new Set([...begun, ...next.map(({ approval }) => approval.id)]);
    for (const row of next) centre?.show(row);
  }

  #centre(): ApprovalCentre {
    const centre = this.#deps.centre();
    if (!centre) throw new Untold('the centre is closed');
    return centre;
  }

  /** A run never fails because its question cannot be shown; the next check repeats it. */
  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof StoreError) && !(error instanceof Untold)) throw error;
      this.#behind = true;
      this.#deps.log.warn('question_not_shown', { message: error.message });
    }
  }
}
