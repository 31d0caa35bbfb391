import type { Question } from '../../core/approvals/approval-centre-ports.ts';
import type { GateCall, GateDecision } from '../../core/approvals/approval-gate.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { LimitUse } from '../../core/models/budget.ts';
import type { SpendingTurn, SpendQuestion } from '../../core/models/spend-gate.ts';
import type { Clock, Timer } from '../../core/ports.ts';
import type { Allowances } from './allowances.ts';
import { moreWords } from './budget-errors.ts';
import { periodOf, untilTomorrow } from './days.ts';

// Asks the operator about an exhausted budget: one question per limit and period, for all waiting turns.

/** Questions to the operator about budgets. */
export interface SpendApprovals {
  /** Whether the operator can be asked for this agent: it exists and is not in unattended mode. */
  attended(agentId: string): boolean;
  ask(question: Question, signal: AbortSignal): Promise<GateDecision>;
  /** Id of the waiting question of this agent. */
  questionOf(agentId: string, call: Pick<GateCall, 'threadKey' | 'callId'>): string | null;
}

export interface SpendQuestionsDeps {
  readonly clock: Clock;
  readonly allowances: Allowances;
  nameOf(agentId: string): string;
  readonly approvals: SpendApprovals;
}

/** ms after midnight, to be safely in the new day. */
const slackMs = 1_000;

type Stops = () => readonly LimitUse[];

interface About {
  readonly key: string;
  readonly use: LimitUse;
  readonly period: string;
  /** `null` for all agents together. */
  readonly owner: string | null;
  readonly stops: Stops;
}

interface Open extends About {
  readonly approvalId: string | null;
  readonly answered: Promise<boolean>;
  /** Turns that need the answer, including those that return after a restart of their agent. */
  readonly turns: Set<string>;
  readonly withdraw: AbortController;
}

const ownerOf = (use: LimitUse, agentId: string): string | null => (use.scope === 'total' ? null : agentId);
const same = (a: LimitUse, b: LimitUse): boolean =>
  a.scope === b.scope && a.limit === b.limit && a.budget === b.budget;

export class SpendQuestions {
  readonly #deps: SpendQuestionsDeps;
  readonly #open = new Map<string, Open>();
  #timer: Timer | null = null;

  constructor(deps: SpendQuestionsDeps) {
    this.#deps = deps;
  }

  /** `stops` returns the limits that stop the turn's agent now. Throws `StoreError`. */
  about(turn: SpendingTurn, stops: Stops): SpendQuestion | null {
    const { agentId, ended } = turn;
    const now = stops();
    const [use] = now;
    if (!use || ended.aborted || !this.#deps.approvals.attended(agentId)) return null;
    if (now.some((one) => this.#wasAnswered(one, ownerOf(one, agentId)))) return null;
    const period = this.#period(use);
    const owner = ownerOf(use, agentId);
    const key = `spending:${owner ?? '*'}:${use.limit}:${period}:${use.budget}`;
    const one = this.#open.get(key) ?? this.#begin({ key, use, period, owner, stops }, agentId);
    this.#wakeTomorrow();
    return join(one, turn);
  }

  /** Withdraws questions that changed limits or a new day made obsolete; waiting turns check again. */
  refresh(): void {
    for (const one of this.#open.values()) if (!this.#matters(one)) one.withdraw.abort();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#open.clear();
  }

  #period({ limit }: LimitUse): string {
    return periodOf(limit, this.#deps.clock.now());
  }

  #wasAnswered(use: LimitUse, owner: string | null): boolean {
    const row = this.#deps.allowances.of(owner, use.limit, this.#period(use));
    return row !== null && row.state !== 'asked';
  }

  #matters({ use, period, stops }: About): boolean {
    if (period !== this.#period(use)) return false;
    return despiteStore(() => stops().some((now) => same(now, use)), true);
  }

  #begin(about: About, agentId: string): Open {
    const { key } = about;
    const asker = this.#asker(about, agentId);
    const withdraw = new AbortController();
    const asked = this.#deps.approvals.ask(
      questionOf(about, asker, this.#deps.nameOf(asker)),
      withdraw.signal,
    );
    const approvalId = this.#deps.approvals.questionOf(asker, { threadKey: key, callId: key });
    const settled = async (): Promise<boolean> => {
      try {
        const decision = await asked;
        return withdraw.signal.aborted || this.#keep(about, asker, decision);
      } finally {
        if (this.#open.get(key)?.withdraw === withdraw) this.#open.delete(key);
      }
    };
    const answered = settled().catch(() => false);
    const one: Open = { ...about, approvalId, withdraw, answered, turns: new Set() };
    this.#open.set(key, one);
    return one;
  }

  /** The first asker stays the asker, so that it remains the same question after a crash. */
  #asker({ use, period, owner }: About, agentId: string): string {
    const { allowances, approvals, clock } = this.#deps;
    const before = allowances.of(owner, use.limit, period);
    if (before && approvals.attended(before.asker)) return before.asker;
    const row = { who: owner ?? '', limit: use.limit, period, asker: agentId, extra: 0, at: clock.now() };
    allowances.keep({ ...row, state: 'asked' });
    return agentId;
  }

  /** Returns true if the operator allowed more. */
  #keep({ use, period, owner, stops }: About, asker: string, decision: GateDecision): boolean {
    const { allowances, clock } = this.#deps;
    const row = { who: owner ?? '', limit: use.limit, period, asker, at: clock.now() };
    if (decision.type === 'allow') {
      // Relative to the current use, so that an approval always allows more.
      const now = despiteStore(() => stops().find((one) => same(one, use)), undefined);
      allowances.keep({ ...row, state: 'allowed', extra: Math.max(now?.used ?? 0, use.used) });
      return true;
    }
    if (decision.by === 'operator' || decision.by === 'expiry')
      allowances.keep({ ...row, state: 'denied', extra: 0 });
    return false;
  }

  #wakeTomorrow(): void {
    const { clock } = this.#deps;
    const wake = (): void => {
      this.#timer = null;
      this.refresh();
      if (this.#open.size > 0) this.#wakeTomorrow();
    };
    this.#timer ??= clock.after(untilTomorrow(clock.now()) + slackMs, wake, { unref: true });
  }
}

function join(one: Open, { agentId, turnId, ended }: SpendingTurn): SpendQuestion {
  const id = `${agentId} ${turnId}`;
  one.turns.add(id);
  const leave = (): void => {
    one.turns.delete(id);
    if (one.turns.size === 0) one.withdraw.abort();
  };
  ended.addEventListener('abort', leave, { once: true });
  void one.answered.then(() => ended.removeEventListener('abort', leave));
  return { approvalId: one.approvalId, answered: one.answered };
}

function questionOf({ key, use, period, owner }: About, asker: string, name: string): Question {
  const { title, body, why, rule } = moreWords(use, { agentId: owner, name });
  return {
    kind: 'spending',
    agentId: asker,
    agentName: name,
    subject: 'spend_more',
    key,
    rule,
    title,
    why,
    args: { whose: owner ?? 'all agents', limit: use.limit, period, amount: use.budget },
    preview: { kind: 'text', body },
    risk: 'medium',
    where: '',
    roomId: null,
    threadRootId: null,
  };
}
