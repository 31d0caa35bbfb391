/** Port of the spending gate, which admits each model request and records its cost. */
import type { Result } from '../../contract/result.ts';
import type { Usage } from './messages.ts';
import type { ModelTarget } from './model-ports.ts';

export interface SpendRow {
  readonly agentId: string;
  readonly threadKey: string;
  readonly turnId: string;
  readonly provider: string;
  readonly model: string;
  /** Idempotency key, created by Kennel per request, because providers reuse response ids. */
  readonly callId: string;
  readonly usage: Usage;
  readonly simulated: boolean;
  /** The response failed or was aborted, so the provider may not have reported its cost. */
  readonly unfinished?: boolean;
  /** ms since the epoch. */
  readonly at: number;
}

export interface SpendingTurn {
  readonly agentId: string;
  readonly turnId: string;
  /** Aborts when the turn ends for good; once all turns have ended, the question is withdrawn. */
  readonly ended: AbortSignal;
}

export interface SpendQuestion {
  /** `null` if it could not be asked. */
  readonly approvalId: string | null;
  /** True if a new `admit` may succeed; false if the budget stays used up. Never rejects. */
  readonly answered: Promise<boolean>;
}

/** Upper estimate of the cost of one request. */
export interface SpendRequest {
  readonly agentId: string;
  readonly target: Pick<ModelTarget, 'provider' | 'model'>;
  /** Tokens of its input, estimated. */
  readonly input: number;
  /** Largest number of tokens of its output. */
  readonly output: number;
}

/** An admitted request. Its likely cost counts as used until `release`. */
export interface SpendHold {
  /** Called once its cost is recorded, or the request has failed without one. */
  release(): void;
}

/** Consulted before every model request, informed after every response (also failed ones with a cost). */
export interface SpendGate {
  /**
   * Whether a request would be admitted now, without a reservation: `rate_limited` with a sentence if a budget
   * is used up, or if a money cap is set and the price is unknown.
   */
  admit(agentId: string, target: Pick<ModelTarget, 'provider' | 'model'>): Result<void>;
  /**
   * Admits one request. Waits while the requests under way may use up what is left of a budget, so that parallel
   * requests do not exceed it. Fails like `admit`, and with `cancelled` on abort.
   */
  reserve(request: SpendRequest, signal: AbortSignal): Promise<Result<SpendHold>>;
  /**
   * Asks the operator about a used-up budget. `null` if the budget is not used up, the question was already
   * answered, or the agent works unattended. All callers share one question per limit and period.
   */
  question(turn: SpendingTurn, target: Pick<ModelTarget, 'provider' | 'model'>): SpendQuestion | null;
  /**
   * Whether the cost of a request to this model will be known: by its price, or because its provider reports
   * it.
   */
  isPriced(agentId: string, target: Pick<ModelTarget, 'provider' | 'model'>): boolean;
  /** Durable when it returns. */
  record(row: SpendRow): void;
}
