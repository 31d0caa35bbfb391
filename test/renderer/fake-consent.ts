/** Approvals of the fake host: requests, answers bound to a digest, grants, the log. */
import type { Approval, ApprovalAnswer, AuditLine, Grant, Receipt } from '../../src/contract/approvals.ts';
import { textError } from '../../src/contract/errors.ts';
import type { MethodName } from '../../src/contract/methods.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';

interface Start {
  approvals?: Approval[];
  decided?: Approval[];
  grants?: Grant[];
}

interface Search {
  agent?: string;
  kind?: string;
  answer?: string;
  text?: string;
}

export class FakeConsent {
  receiptCheck = { ok: true, problem: '' };
  decided: Approval[];
  grants: Grant[];
  audit: AuditLine[] = [];
  private readonly feed: FakeFeed;

  constructor(feed: FakeFeed, { approvals = [], decided = [], grants = [] }: Start) {
    this.feed = feed;
    this.decided = [...decided];
    this.grants = [...grants];
    feed.put('approvals', { waiting: Object.fromEntries(approvals.map((one) => [one.id, one])) });
  }

  /** Publishes a request while the page is open. */
  ask(approval: Approval): void {
    this.feed.patch('approvals', { op: 'set', path: ['waiting', approval.id], value: approval });
  }

  /** Publishes an answer from another surface. */
  settle(id: string, answer: ApprovalAnswer, surface: 'window' | 'terminal' | 'chat'): Approval {
    const asked = this.waiting()[id]!;
    const scope = answer.type === 'allow' ? answer.scope : null;
    const after: Approval = {
      ...asked,
      state: answer.type === 'allow' ? 'allowed' : 'denied',
      decision: {
        scope,
        reason: answer.type === 'deny' ? answer.reason : '',
        surface,
        at: Date.now(),
        receiptId: `rc_${id}`,
      },
    };
    this.decided.unshift(after);
    this.feed.patch('approvals', { op: 'delete', path: ['waiting', id] });
    if (scope !== null && scope !== 'once')
      this.grants.unshift({
        id: `gr_${id}`,
        agentId: asked.agentId,
        agentName: asked.agentName,
        tool: asked.subject,
        scope,
        rule: asked.offers.find((offer) => offer.scope === scope)?.rule ?? '',
        createdAt: Date.now(),
        lastUsedAt: null,
        uses: 0,
      });
    return after;
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'approvals.list': ({ agent, kind, answer, text = '' }: Search) =>
        ok({
          approvals: this.decided.filter(
            (one) =>
              (agent ?? one.agentId) === one.agentId &&
              (kind ?? one.kind) === one.kind &&
              (answer ?? one.state) === one.state &&
              JSON.stringify(one).toLowerCase().includes(text.toLowerCase()),
          ),
          hasMore: false,
        }),
      'receipts.verify': () => ok(this.receiptCheck),
      'approvals.get': ({ id }: { id: string }) => this.get(id),
      'approvals.decide': (input: { id: string; digest: string; answer: ApprovalAnswer }) =>
        this.decide(input),
      'grants.list': () => ok({ grants: this.grants }),
      'grants.share': ({ agent, room, what }: { agent: string; room: string; what: string[] }) => {
        const grant: Grant = {
          id: `gr_share${this.grants.length}`,
          agentId: agent,
          agentName: agent,
          tool: 'share',
          scope: 'pattern',
          rule: `share ${what.join(', ')} with ${room}`,
          createdAt: 1,
          lastUsedAt: null,
          uses: 0,
        };
        this.grants.unshift(grant);
        return ok({ grant });
      },
      'grants.revoke': ({ id }: { id: string }) => {
        this.grants = this.grants.filter((one) => one.id !== id);
        return ok({});
      },
      'audit.list': () => ok({ lines: this.audit, hasMore: false }),
      'audit.verify': () => ok({ ok: true, lines: 1204, problem: '' }),
    };
  }

  private waiting(): Readonly<Record<string, Approval>> {
    return this.feed.read<{ waiting: Record<string, Approval> }>('approvals').waiting;
  }

  private get(id: string): Result<unknown> {
    const approval = this.waiting()[id] ?? this.decided.find((one) => one.id === id);
    if (approval === undefined) return err(textError('not_found', 'There is no such question.'));
    return ok({ approval, receipt: approval.state === 'waiting' ? null : receiptOf(approval) });
  }

  private decide({ id, digest, answer }: { id: string; digest: string; answer: ApprovalAnswer }) {
    const asked = this.waiting()[id];
    if (asked === undefined || asked.digest !== digest)
      return err(textError('conflict', 'This was answered already.'));
    if (answer.type === 'not_now') {
      const quiet = { ...asked, quietUntil: Date.now() + 3_600_000 };
      this.ask(quiet);
      return ok({ approval: quiet, receipt: null });
    }
    const approval = this.settle(id, answer, 'window');
    return ok({ approval, receipt: receiptOf(approval) });
  }
}

const receiptOf = (approval: Approval): Receipt => ({
  id: `rc_${approval.id}`,
  approvalId: approval.id,
  agentId: approval.agentId,
  tool: approval.subject,
  digest: approval.digest,
  answer: approval.state === 'allowed' ? 'allow' : 'deny',
  scope: approval.decision?.scope ?? null,
  surface: approval.decision?.surface ?? '',
  at: approval.decision?.at ?? 0,
  hostKey: 'k9x2Q7b1HcQmVt0m4e5f6g7h8i9j0k1l2m3n4o5p6q7',
  signature: '7d4f0a9be1c3'.repeat(10),
});
