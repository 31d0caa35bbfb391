import { describe, expect, it } from 'vitest';
import type { Approval, ApprovalsView } from '../contract/approvals.ts';
import type { FeedSink, HostApi } from '../contract/host-api.ts';
import { ok } from '../contract/result.ts';
import { createOpenQuestions } from './open-questions.ts';

const question = (id: string, agentId: string, quietUntil: number | null = null) =>
  ({ id, agentId, quietUntil }) as Approval;
const viewOf = (...all: Approval[]): ApprovalsView => ({
  waiting: Object.fromEntries(all.map((one) => [one.id, one])),
});

function follow() {
  const sinks: FeedSink[] = [];
  let open = 0;
  let changes = 0;
  const host: HostApi = {
    call: async () => ok({}),
    subscribe(_principal, _topic, sink) {
      sinks.push(sink);
      open += 1;
      return ok(() => {
        open -= 1;
      });
    },
  };
  const questions = createOpenQuestions(() => {
    changes += 1;
  });
  questions.follow(host);
  const show = (...all: Approval[]): void =>
    sinks.at(-1)?.({ type: 'snapshot', revision: 1, state: viewOf(...all) });
  return { host, questions, show, open: () => open, changes: () => changes };
}

describe('Open questions', () => {
  it('return the only question, overall or per agent, and null for several', () => {
    const { questions, show } = follow();
    expect(questions.only(null)).toBeNull();
    show(question('q1', 'guide'));
    expect([questions.only(null), questions.only('guide'), questions.only('checker')]).toEqual([
      'q1',
      'q1',
      null,
    ]);
    show(question('q1', 'guide'), question('q2', 'checker'));
    expect([questions.only(null), questions.only('checker')]).toEqual([null, 'q2']);
  });

  it('leave out snoozed questions until their time', () => {
    const { questions, show } = follow();
    show(question('q1', 'guide', Date.now() + 60_000), question('q2', 'guide', Date.now() - 1));
    expect(questions.only(null)).toBe('q2');
    expect([questions.waits('q1'), questions.waits('q2'), questions.waits('q3')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('are cleared when another host is followed, with a change event', () => {
    const { host, questions, show, open, changes } = follow();
    show(question('q1', 'guide'));
    const before = changes();
    questions.follow(host);
    expect(questions.waits('q1')).toBe(false);
    expect(changes()).toBe(before + 1);
    expect(open()).toBe(1);
    questions.stop();
    expect(open()).toBe(0);
  });
});
