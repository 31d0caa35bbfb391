/** Waiting approvals, for the tray, the notifications and the window for a single approval. */
import type { Approval, ApprovalsView } from '../contract/approvals.ts';
import type { HostApi } from '../contract/host-api.ts';
import { isCalling } from '../contract/operator-queue.ts';
import { followTopic } from './follow-topic.ts';

export interface OpenQuestions {
  /** The only waiting approval of this agent (of all agents if `null`); `null` if none or several wait. */
  only(agentId: string | null): string | null;
  /** True if the approval is neither answered nor snoozed. */
  waits(id: string): boolean;
  /** Ends the feed of the previous host. */
  follow(host: HostApi): void;
  stop(): void;
}

export function createOpenQuestions(onChange: () => void): OpenQuestions {
  let view: ApprovalsView = { waiting: {} };
  let stop = (): void => {};

  const calling = (agentId: string | null): Approval[] =>
    Object.values(view.waiting).filter(
      (one) => isCalling(one, Date.now()) && (agentId === null || one.agentId === agentId),
    );
  const take = (next: ApprovalsView): void => {
    view = next;
    onChange();
  };

  return {
    only(agentId) {
      const [first, second] = calling(agentId);
      return first && !second ? first.id : null;
    },
    waits: (id) => calling(null).some((one) => one.id === id),
    follow(host) {
      stop();
      take({ waiting: {} });
      stop = followTopic(host, 'approvals', take);
    },
    stop: () => stop(),
  };
}
