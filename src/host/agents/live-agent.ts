import type { AppError } from '../../contract/errors.ts';
import type { AgentLife, Connection, Dot } from '../../contract/model.ts';
import type { HostText } from '../../language/host-message.ts';

export interface LiveAgent {
  readonly life: AgentLife;
  readonly dot: Dot;
  readonly connection: Connection;
  readonly activity: HostText;
  /** ms since the epoch of the last change of activity or dot. */
  readonly since: number;
  readonly error: AppError | null;
  readonly restartAt: number | null;
  readonly messageCount: number;
  readonly lastEventAt: number | null;
  readonly waiting: number;
  readonly refused: Readonly<Record<string, number>>;
}
