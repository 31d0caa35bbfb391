/** The questions that wait at this moment: what tray, notification and the window for a single one need to know of them. */
import type { Approval, ApprovalsView } from '../contract/consent.ts';
import type { HostApi } from '../contract/host-api.ts';
import { followTopic } from './follow-topic.ts';

export interface OpenQuestions {
  /** Of this agent, or of all (null): the one that waits; null where none or several do. */
  only(agentId: string | null): string | null;
  /** Not answered, and not put off. */
  waits(id: string): boolean;
  /** The feed of the host before ends. */
  follow(host: HostApi): void;
  stop(): void;
}

const callsNow = ({ quietUntil }: Approval): boolean => quietUntil === null || quietUntil <= Date.now();

export function createOpenQuestions(onChange: () => void): OpenQuestions {
  let view: ApprovalsView = { waiting: {} };
  let stop = (): void => {};

  const calling = (agentId: string | null): Approval[] =>
    Object.values(view.waiting).filter(
      (one) => callsNow(one) && (agentId === null || one.agentId === agentId),
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
