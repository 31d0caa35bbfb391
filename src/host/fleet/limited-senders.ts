import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import type { Clock, Timer } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
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

/** Limit on the senders shown per agent, because a server can invent any number (T24). */
const mostShown = 10;

interface Shown {
  /** ms since the epoch. */
  readonly until: number;
  /** Clears the problem. */
  readonly timer: Timer;
}

export function createLimitedSenders({ clock, problems, ...deps }: LimitedSendersDeps): LimitedSenders {
  /** By id of the problem. */
  const shown = new Map<string, Shown>();
  const clear = (id: string): void => {
    shown.delete(id);
    problems.clear(id);
  };
  /** Shows a problem until the latest end that was given for it. */
  const show = (
    id: string,
    end: number,
    text: { readonly message: HostText; readonly hint: HostText },
  ): void => {
    const before = shown.get(id);
    const until = Math.max(end, before?.until ?? 0);
    problems.set(id, 'info', text);
    before?.timer.cancel();
    const timer = clock.after(Math.max(0, until - clock.now()), () => clear(id), { unref: true });
    shown.set(id, { until, timer });
  };
  return {
    limited(agentId, slug, until) {
      // An agent's id has no slash, so no two pairs share an id.
      const prefix = `sender-limit-${agentId}/`;
      const id = `${prefix}${slug}`;
      const limit = deps.limit();
      const name = deps.nameOf(agentId);
      const others = [...shown.keys()].filter((key) => key.startsWith(prefix) && key !== id).length;
      const note = (outcome: string): void => {
        const detail = `more than ${limit} messages in an hour`;
        deps.note({ kind: 'brake', agentId, tool: '', digest: '', outcome, detail });
      };
      if (others < mostShown) {
        show(id, until, {
          message: say('contacts.senderLimitReached', { slug, limit, name }),
          hint: say('contacts.blockSender', { slug }),
        });
        note(slug);
        return;
      }
      const summary = `sender-limit-${agentId}`;
      // One line for all of them: each line costs a disk sync, and a server can invent any number of senders.
      if (!shown.has(summary)) note('others');
      show(summary, until, {
        message: say('contacts.otherSendersLimited', { limit, name }),
        hint: say('contacts.senderLimitSetting'),
      });
    },
  };
}
