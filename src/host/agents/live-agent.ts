import type { AppError } from '../../contract/errors.ts';
import type { AgentLife, Connection, Dot } from '../../contract/model.ts';

/** How an agent fares right now, beside what its files say. */
export interface LiveAgent {
  readonly life: AgentLife;
  readonly dot: Dot;
  readonly connection: Connection;
  readonly activity: string;
  /** ms since the epoch when activity or dot last changed. */
  readonly since: number;
  readonly error: AppError | null;
  readonly restartAt: number | null;
  readonly messageCount: number;
  readonly lastEventAt: number | null;
  /** Questions that wait for the operator. */
  readonly waiting: number;
  readonly refused: Readonly<Record<string, number>>;
}
