import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import { backTest } from '../../core/approvals/back-test.ts';
import { isInChannel } from '../../core/approvals/waiting-view.ts';
import type { Clock } from '../../core/ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Handlers } from '../dispatch.ts';
import type { HostPorts } from '../host-ports.ts';
import type { AgentPolicies } from './agent-policies.ts';
import type { Approvals } from './approvals.ts';
import { checkReceipt } from './check-receipt.ts';
import { searchQuestions } from './search-questions.ts';

type ApprovalMethods = Pick<
  Handlers,
  | 'approvals.list'
  | 'approvals.get'
  | 'approvals.decide'
  | 'grants.list'
  | 'grants.revoke'
  | 'policy.test'
  | 'audit.list'
  | 'audit.verify'
  | 'receipts.verify'
>;

export interface ApprovalHandlersDeps {
  readonly approvals: Pick<Approvals, 'begun' | 'parts'>;
  readonly agents: Pick<AgentStore, 'list'>;
  readonly policies: Pick<AgentPolicies, 'find'>;
  readonly clock: Clock;
  readonly auditFolder: string;
  readonly loadCrypto: HostPorts['loadCrypto'];
}

const unknown = fail('not_found', 'approvals.noQuestionsYet');
const dayMs = 86_400_000;
const maxTested = 50_000;

function findAgentId(
  { agents }: Pick<ApprovalHandlersDeps, 'agents'>,
  wanted: string | undefined,
): string | undefined {
  const found = agents
    .list()
    .find(
      ({ id, lastGood }) =>
        id === wanted || lastGood?.puffo_core.slug === wanted || lastGood?.display_name === wanted,
    );
  return found?.id ?? wanted;
}

function createQuestionHandlers(deps: Pick<ApprovalHandlersDeps, 'approvals' | 'agents'>) {
  const { approvals } = deps;
  const known = () => (approvals.begun() ? approvals.parts() : err(unknown));
  return {
    'approvals.list': ({ agent, ...wish }) => {
      if (!approvals.begun()) return ok({ approvals: [], hasMore: false });
      const open = approvals.parts();
      return open.ok ? ok(searchQuestions(open.value.store, findAgentId(deps, agent), wish)) : open;
    },
    'approvals.get': ({ id }) => {
      const open = known();
      if (!open.ok) return open;
      const found = open.value.centre.find(id);
      if (!found.ok) return found;
      const { approval, post } = found.value;
      return ok({
        approval: approval.gate ? { ...approval, isInChannel: isInChannel({ post }) } : approval,
        receipt: open.value.store.receiptOf(approval.id),
      });
    },
    'approvals.decide': ({ id, digest, answer, surface }) => {
      const open = known();
      return open.ok ? open.value.centre.decide(id, answer, { digest, surface }) : open;
    },
  } satisfies Partial<ApprovalMethods>;
}

function createGrantHandlers(
  deps: Pick<ApprovalHandlersDeps, 'approvals' | 'agents' | 'policies' | 'clock'>,
) {
  const { approvals, policies, clock } = deps;
  return {
    'grants.list': ({ agent }) => {
      if (!approvals.begun()) return ok({ grants: [] });
      const open = approvals.parts();
      if (!open.ok) return open;
      const rows = open.value.centre.grants.list(findAgentId(deps, agent) ?? null);
      return ok({ grants: rows.map(({ grant }) => grant) });
    },
    'grants.revoke': async ({ id }) => {
      const open = approvals.parts();
      if (!open.ok) return open;
      const revoked = await open.value.centre.revoke(id);
      return revoked.ok ? ok({}) : revoked;
    },
    'policy.test': ({ agent, all, rules, mode, days }) => {
      if (!approvals.begun()) return ok({ calls: 0, allowed: 0, asked: 0, denied: 0, changed: [] });
      const open = approvals.parts();
      if (!open.ok) return open;
      const { store, centre } = open.value;
      centre.flush();
      const id = findAgentId(deps, agent);
      const since = clock.now() - days * dayMs;
      const calls = store.recorded({ since, limit: maxTested, ...(id ? { agent: id } : {}) });
      return ok(
        backTest({
          calls,
          policyOf: (agentId) => {
            const policy = policies.find(agentId);
            if (!policy) return null;
            if (all) return { ...policy, daemon: { mode: mode ?? null, rules } };
            return { ...policy, rules, ...(mode ? { mode } : {}) };
          },
          grantsOf: (agentId) => centre.grants.rulesOf(agentId),
          sharesOf: (agentId) => centre.grants.sharesOf(agentId),
        }),
      );
    },
  } satisfies Partial<ApprovalMethods>;
}

const noLog = fail('unavailable', 'approvals.auditLogUnavailable');

function createAuditHandlers(
  deps: Pick<ApprovalHandlersDeps, 'approvals' | 'agents' | 'auditFolder' | 'loadCrypto'>,
) {
  const { approvals, auditFolder, loadCrypto } = deps;
  return {
    'audit.list': async ({ agent, before, limit }) => {
      const { readAudit } = await import('../../services/audit/read-audit.ts');
      const id = findAgentId(deps, agent);
      return ok(
        readAudit(auditFolder, {
          limit,
          ...(id ? { agent: id } : {}),
          ...(before === undefined ? {} : { before }),
        }),
      );
    },
    'audit.verify': async () => {
      const crypto = await loadCrypto();
      if (!crypto.ok) return err(noLog);
      const { verifyAudit } = await import('../../services/audit/verify-audit.ts');
      const parts = approvals.begun() ? approvals.parts() : null;
      const key = parts?.ok ? parts.value.publicKey : undefined;
      return ok(verifyAudit(crypto.value, auditFolder, key));
    },
    'receipts.verify': async ({ id }) => {
      if (!approvals.begun()) return err(unknown);
      const parts = approvals.parts();
      if (!parts.ok) return parts;
      const crypto = await loadCrypto();
      if (!crypto.ok) return crypto;
      const found = parts.value.centre.find(id);
      return found.ok ? ok(checkReceipt(crypto.value, parts.value, found.value.approval)) : found;
    },
  } satisfies Partial<ApprovalMethods>;
}

export function createApprovalHandlers(deps: ApprovalHandlersDeps): ApprovalMethods {
  return {
    ...createQuestionHandlers(deps),
    ...createGrantHandlers(deps),
    ...createAuditHandlers(deps),
  };
}
