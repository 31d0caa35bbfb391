/** Quotas of one operator with all their agents (T24). Checked inside the writing transaction. */
import { ok, type Result } from '../contract/result.ts';
import { say } from '../language/say.ts';
import type { RelayContext } from './context.ts';
import { type Refusal, refuseRequest } from './refusal.ts';

type Quota = 'blobs' | 'blob_bytes' | 'spaces' | 'agents';

function within(quota: Quota, used: number, more: number, limit: number): Result<void, Refusal> {
  if (used + more <= limit) return ok(undefined);
  const message = say(`relay.quota_${quota}`, { limit });
  return refuseRequest('QUOTA_EXCEEDED', message, { quota, used, limit });
}

/** The operator of an agent, or the person themselves. */
const operatorOf = ({ store }: RelayContext, slug: string): string =>
  store.people.identity(slug)?.operatorSlug ?? slug;

export function checkBlobQuota(context: RelayContext, slug: string, bytes: number): Result<void, Refusal> {
  const { limits, store } = context;
  const used = store.blobs.usage(operatorOf(context, slug));
  const count = within('blobs', used.count, 1, limits.blobsPerOperator);
  return count.ok ? within('blob_bytes', used.bytes, bytes, limits.blobBytesPerOperator) : count;
}

export function checkSpaceQuota(context: RelayContext, slug: string): Result<void, Refusal> {
  const used = context.store.spaces.countOwned(operatorOf(context, slug));
  return within('spaces', used, 1, context.limits.spacesPerOperator);
}

/** Unfinished sign-ups count too. */
export function checkAgentQuota(context: RelayContext, operator: string): Result<void, Refusal> {
  const used = context.store.people.countAgents(operator, context.clock.now());
  return within('agents', used, 1, context.limits.agentsPerOperator);
}
