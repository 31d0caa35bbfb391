/**
 * Puts the approval gate in front of an agent's tools: each call is assessed, decided, and assessed again
 * right before it runs. If the assessment changed in between, the gate decides again on the new one.
 */

import type { ApprovalGate, GateCall, GateDecision } from '../approvals/approval-gate.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import type { BeforeVerdict, CallView } from '../loop/loop-config.ts';
import type { LoopTool } from '../loop/loop-tool.ts';
import {
  type AllowedCall,
  changedSince,
  type GateHookParts,
  gateHook,
  gateVerdict,
  isAsAllowed,
  loopTool,
  type TurnFacts,
} from '../loop/tool-adapter.ts';
import { carriedBy, revealedBy, revealedByRefusal } from '../policy/audience.ts';
import type { Clock } from '../ports.ts';
import type { TurnSlot } from '../supervisor/runtime-port.ts';
import type { InnerCalls, SubAgentEnd, SubAgentRequest, Tool, ToolOutput } from '../tools/tool.ts';
import { abortedVerdict, createInnerCalls } from './inner-calls.ts';
import type { AgentKit } from './runtime-ports.ts';
import type { TurnClock } from './turn-clock.ts';
import { coveredBy, type TurnReads } from './turn-sources.ts';
import type { TurnSteps } from './turn-steps.ts';

export interface GatedTurn {
  readonly facts: TurnFacts;
  readonly kit: AgentKit;
  readonly steps: TurnSteps;
  readonly clock: TurnClock;
  /**
   * Aborts when the turn is over; not when it is left to be resumed, because its approvals stay open for
   * that.
   */
  readonly ended: AbortSignal;
  readonly place: TurnSlot;
  readonly time: Clock;
  /** Calls that began before a crash. */
  readonly begunBefore: ReadonlySet<string>;
  readonly reads: TurnReads;
  tainted(): boolean;
  taint(): void;
  /** A call that another one made has succeeded. */
  succeeded(callId: string): void;
  /** Absent if the runtime does not call the model itself. */
  subAgent?(inner: InnerCalls, request: SubAgentRequest, signal: AbortSignal): Promise<SubAgentEnd>;
}

const changed: ToolOutput = {
  content: [{ type: 'text', text: changedSince }],
  isError: true,
};

const audienceChanged: GateDecision = {
  type: 'deny',
  by: 'policy',
  reason: 'Who reads this conversation has changed since it was allowed, so nothing was sent. Try again.',
};

export class GatedTools {
  readonly loopTools: readonly LoopTool[];
  readonly denied = new Set<string>();
  readonly #turn: GatedTurn;
  readonly #hook: ReturnType<typeof gateHook>;
  readonly #innerParts: GateHookParts;
  readonly #asking = createSemaphore(1);
  readonly #allowed = new Map<string, AllowedCall & { readonly questions: number }>();
  /** Number of approvals requested so far. */
  #questions = 0;

  constructor(turn: GatedTurn) {
    this.#turn = turn;
    const facts = (): TurnFacts => turn.facts;
    const parts: GateHookParts = {
      tools: turn.kit.tools,
      facts,
      gate: this.#gate(),
      tainted: () => turn.tainted(),
      more: (tool, callId) => ({
        group: tool.group,
        ...(turn.begunBefore.has(callId) ? { resumed: true } : {}),
      }),
    };
    this.#hook = gateHook(parts);
    this.#innerParts = {
      ...parts,
      gate: this.#gate(true),
      more: ({ group }) => ({ group, endsWithHost: true }),
    };
    this.loopTools = turn.kit.tools.map((tool) => loopTool(this.#checked(tool), facts));
  }

  async before(view: CallView, signal: AbortSignal): Promise<BeforeVerdict | undefined> {
    return this.#told(view.toolCall.id, view.tool.name, await this.#hook(view, signal));
  }

  /**
   * Reassesses an allowed call of a batch if an approval of another call was requested after it was allowed.
   */
  async recheck(view: CallView, signal: AbortSignal): Promise<BeforeVerdict | undefined> {
    const { toolCall, args, tool } = view;
    const allowed = this.#allowed.get(toolCall.id);
    const known = this.#turn.kit.tools.find(({ name }) => name === tool.name);
    if (!allowed || !known || allowed.questions === this.#questions) return undefined;
    const context = { ...this.#turn.facts, callId: toolCall.id, signal, progress: () => undefined };
    const now = await known.assess(args, context);
    if (!now.blocked && isAsAllowed(now, allowed)) return undefined;
    return this.#told(toolCall.id, tool.name, await this.#hook(view, signal, true));
  }

  #told(callId: string, name: string, verdict: BeforeVerdict | undefined): BeforeVerdict | undefined {
    const { details } = verdict ?? {};
    const said: object = typeof details === 'object' && details !== null ? details : {};
    // A tool that cannot do a call has failed; only a missing right is a denial.
    if ('denied' in said || ('block_reason' in said && said.block_reason === 'forbidden'))
      this.denied.add(callId);
    const known = this.#turn.kit.tools.find((tool) => tool.name === name);
    if (!known) return verdict;
    // A tool that refuses a call has already looked, and its message reveals what it found (T9).
    if ('block_reason' in said && said.block_reason !== 'invalid_arguments')
      this.#turn.reads.note(revealedByRefusal(known));
    // A denial reveals that the tool did not refuse the call: what it would have read exists.
    if ('denied' in said && said.denied !== 'cancelled') this.#turn.reads.note(revealedBy(known));
    return verdict;
  }

  /** Asks about something other than a tool call; the answer counts like one for a call. */
  ask(call: Omit<GateCall, 'agentId' | 'turnId' | 'threadKey'>, signal: AbortSignal): Promise<GateDecision> {
    return this.#gate().check({ ...this.#turn.facts, ...call }, signal);
  }

  /**
   * Shows the step as waiting while an approval is open. That time, and the wait until the turn has its slot
   * again, does not count as the turn's. The question of an inner call ends with its outer call, which no resumed turn
   * repeats.
   */
  #gate(isInner = false): ApprovalGate {
    const { kit, steps, clock, ended, place } = this.#turn;
    return {
      check: async (asking, signal) => {
        steps.named(asking.callId, asking.assessment.preview.title);
        const call = await this.#withHeldBack(asking);
        let tellAnswered = (): void => undefined;
        const told = new Promise<void>((resolve) => {
          tellAnswered = resolve;
        });
        let back: Promise<void> | null = null;
        // A one-time answer is consumed only once the call can act on it.
        const until = isInner ? AbortSignal.any([ended, signal]) : ended;
        const asked = kit.gate.check(call, until, async () => {
          tellAnswered();
          await back;
          return !signal.aborted;
        });
        const approvalId = kit.waitingFor(call);
        if (approvalId === null) return this.#noted(call, await asked);
        this.#questions += 1;
        steps.waiting(call.callId, approvalId);
        clock.pause();
        const answered = Promise.race([told, asked.then(() => undefined)]);
        back = place.lend(answered.finally(() => steps.resumed(call.callId)));
        try {
          await back;
          return this.#noted(call, await asked);
        } finally {
          clock.resume();
          // Another turn may have written untrusted content into the notes meanwhile (T9).
          if (kit.foreignNotes()) this.#turn.taint();
        }
      },
    };
  }

  /** Text sent into the turn's own conversation is a reply, so its sources are checked (T9). */
  async #withHeldBack(call: GateCall): Promise<GateCall> {
    const { effects } = call.assessment;
    if (!effects.some((effect) => effect.kind === 'send' && effect.sameThread)) return call;
    const heldBack = await this.#turn.reads.heldBack(call.tainted, carriedBy(effects));
    return heldBack ? { ...call, heldBack } : call;
  }

  async #noted(call: GateCall, decision: GateDecision): Promise<GateDecision> {
    // The room may have gained members while the approval was open.
    const now = decision.type === 'allow' ? (await this.#withHeldBack(call)).heldBack : undefined;
    if (now && !(call.heldBack && coveredBy(call.heldBack, now))) return audienceChanged;
    if (decision.type === 'allow')
      this.#allowed.set(call.callId, {
        assessment: call.assessment,
        by: decision.by,
        questions: this.#questions,
      });
    return decision;
  }

  #inner(outerId: string): InnerCalls {
    const { kit, facts, steps, time } = this.#turn;
    const tools = kit.tools.filter(({ callsTools }) => callsTools !== true);
    const { subAgent } = this.#turn;
    const inner = createInnerCalls({
      outerId,
      tools: tools.map((tool) => ({ tool, loop: loopTool(this.#checked(tool), () => facts) })),
      steps,
      clock: time,
      decide: (asked, signal) =>
        this.#asking(async () => {
          if (signal.aborted) return abortedVerdict;
          const verdict = await gateVerdict(this.#innerParts, asked, signal);
          this.#told(asked.callId, asked.name, verdict);
          return { verdict, isDenied: this.denied.has(asked.callId) };
        }),
      succeeded: (callId) => this.#turn.succeeded(callId),
    });
    if (!subAgent) return inner;
    return {
      tools: inner.tools,
      call: (name, args, signal) => inner.call(name, args, signal),
      subAgent: (request, signal) => subAgent(inner, request, signal),
    };
  }

  #checked(tool: Tool): Tool {
    return {
      ...tool,
      execute: async (args, context) => {
        const now = await tool.assess(args, context);
        const allowed = this.#allowed.get(context.callId);
        if (now.blocked || !allowed || !isAsAllowed(now, allowed)) return changed;
        const { reads } = this.#turn;
        reads.note(revealedBy(tool));
        const tainted = this.#turn.tainted();
        const mayRead = await reads.filter(tainted);
        try {
          const output = await tool.execute(args, {
            ...context,
            tainted,
            ...(mayRead ? { mayRead } : {}),
            ...(tool.callsTools ? { inner: this.#inner(context.callId) } : {}),
          });
          reads.note(output.sources ?? []);
          if (output.isError === true) reads.note(revealedByRefusal(tool));
          return output;
        } finally {
          // A failed call may have brought in untrusted content too, in its partial output or in its error.
          if (tool.foreign === true) this.#turn.taint();
        }
      },
    };
  }
}
