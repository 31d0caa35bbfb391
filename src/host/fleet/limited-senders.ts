import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import type { Clock, Timer } from '../../core/ports.ts';
import type { Problems } from '../problems.ts';

export interface LimitedSendersDeps {
  readonly clock: Clock;
  readonly problems: Pick<Problems, 'set' | 'clear'>;
  /** Messages per sender and hour. */
  limit(): number;
  nameOf(agentId: string): string;
  note(entry: AuditEntry): void;
}

/** Shows the operator each sender whose messages are limited (T27). */
export interface LimitedSenders {
  /** `until`: ms since the epoch from which the agent answers the sender again. */
  limited(agentId: string, slug: string, until: number): void;
}

export function createLimitedSenders({ clock, problems, ...deps }: LimitedSendersDeps): LimitedSenders {
  /** Timers that clear a problem, by its id. */
  const timers = new Map<string, Timer>();
  const clear = (id: string): void => {
    timers.delete(id);
    problems.clear(id);
  };
  return {
    limited(agentId, slug, until) {
      // An agent's id has no slash, so no two pairs share an id.
      const id = `sender-limit-${agentId}/${slug}`;
      const limit = deps.limit();
      problems.set(id, 'info', {
        message: `${slug} has used up the ${limit} messages of one person that ${deps.nameOf(agentId)} answers in an hour.`,
        hint: `It goes on by itself. "kennel contacts block ${slug}" ends it; limits.sender_messages in daemon.yml is the limit.`,
      });
      timers.get(id)?.cancel();
      timers.set(
        id,
        clock.after(Math.max(0, until - clock.now()), () => clear(id), { unref: true }),
      );
      const detail = `more than ${limit} messages in an hour`;
      deps.note({ kind: 'brake', agentId, tool: '', digest: '', outcome: slug, detail });
    },
  };
}
