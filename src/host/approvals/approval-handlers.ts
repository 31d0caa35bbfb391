import { appError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { backTest } from '../../core/approvals/back-test.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { checkReceipt } from './check-receipt.ts';
import { searchQuestions } from './search-questions.ts';
import { createShareHandlers } from './share-handlers.ts';

type ApprovalMethods = Pick<
  Handlers,
  | 'approvals.list'
  | 'approvals.get'
  | 'approvals.decide'
  | 'grants.list'
  | 'grants.revoke'
  | 'grants.share'
  | 'policy.test'
  | 'audit.list'
  | 'audit.verify'
  | 'receipts.verify'
>;

const unknown = appError('not_found', 'There is no such question: nobody was ever asked here.');
const dayMs = 86_400_000;
const maxTested = 50_000;

function agentIdOf({ agents }: HostContext, wanted: string | undefined): string | undefined {
  const found = agents
    .list()
    .find(
      ({ id, lastGood }) =>
        id === wanted || lastGood?.puffo_core.slug === wanted || lastGood?.display_name === wanted,
    );
  return found?.id ?? wanted;
}

function createQuestionHandlers(context: HostContext) {
  const parts = () => context.approvals.parts();
  const known = () => (context.approvals.begun() ? parts() : err(unknown));
  return {
    'approvals.list': ({ agent, ...wish }) => {
      if (!context.approvals.begun()) return ok({ approvals: [], hasMore: false });
      const open = parts();
      return open.ok ? ok(searchQuestions(open.value.store, agentIdOf(context, agent), wish)) : open;
    },
    'approvals.get': ({ id }) => {
      const open = known();
      if (!open.ok) return open;
      const found = open.value.centre.find(id);
      if (!found.ok) return found;
      const { approval } = found.value;
      return ok({ approval, receipt: open.value.store.receiptOf(approval.id) });
    },
    'approvals.decide': ({ id, digest, answer, surface }) => {
      const open = known();
      return open.ok ? open.value.centre.decide(id, answer, { digest, surface }) : open;
    },
  } satisfies Partial<ApprovalMethods>;
}

function createGrantHandlers(context: HostContext) {
  const parts = () => context.approvals.parts();
  return {
    'grants.list': ({ agent }) => {
      if (!context.approvals.begun()) return ok({ grants: [] });
      const open = parts();
      if (!open.ok) return open;
      const rows = open.value.centre.grants.list(agentIdOf(context, agent) ?? null);
      return ok({ grants: rows.map(({ grant }) => grant) });
    },
    'grants.revoke': async ({ id }) => {
      const open = parts();
      if (!open.ok) return open;
      const revoked = await open.value.centre.revoke(id);
      return revoked.ok ? ok({}) : revoked;
    },
    'policy.test': ({ agent, all, rules, mode, days }) => {
      if (!context.approvals.begun()) return ok({ calls: 0, allowed: 0, asked: 0, denied: 0, changed: [] });
      const open = parts();
      if (!open.ok) return open;
      const { store, centre } = open.value;
      centre.flush();
      const id = agentIdOf(context, agent);
      const since = context.ports.clock.now() - days * dayMs;
      const calls = store.recorded({ since, limit: maxTested, ...(id ? { agent: id } : {}) });
      return ok(
        backTest({
          calls,
          policyOf: (agentId) => {
            const policy = context.approvals.policyFor(agentId);
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

const noLog = appError('unavailable', 'The audit log could not be read just now.');

function createAuditHandlers(context: HostContext) {
  return {
    'audit.list': async ({ agent, before, limit }) => {
      const { readAudit } = await import('../../services/audit/read-audit.ts');
      const id = agentIdOf(context, agent);
      return ok(
        readAudit(context.layout.audit, {
          limit,
          ...(id ? { agent: id } : {}),
          ...(before === undefined ? {} : { before }),
        }),
      );
    },
    'audit.verify': async () => {
      const crypto = await context.ports.loadCrypto();
      if (!crypto.ok) return err(noLog);
      const { verifyAudit } = await import('../../services/audit/verify-audit.ts');
      const parts = context.approvals.begun() ? context.approvals.parts() : null;
      const key = parts?.ok ? parts.value.publicKey : undefined;
      return ok(verifyAudit(crypto.value, context.layout.audit, key));
    },
    'receipts.verify': async ({ id }) => {
      if (!context.approvals.begun()) return err(unknown);
      const parts = context.approvals.parts();
      if (!parts.ok) return parts;
      const crypto = await context.ports.loadCrypto();
      if (!crypto.ok) return crypto;
      const found = parts.value.centre.find(id);
      return found.ok ? ok(checkReceipt(crypto.value, parts.value, found.value.approval)) : found;
    },
  } satisfies Partial<ApprovalMethods>;
}

export function createApprovalHandlers(context: HostContext): ApprovalMethods {
  return {
    ...createQuestionHandlers(context),
    ...createGrantHandlers(context),
    ...createShareHandlers(context),
    ...createAuditHandlers(context),
  };
}
