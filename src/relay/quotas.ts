/** Quotas of one operator with all their agents (T24). Checked inside the writing transaction. */
import { ok, type Result } from '../contract/result.ts';
import { say } from '../language/say.ts';
import type { RelayContext } from './context.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { isUsedUp } from './space-links.ts';

type Quota = 'blobs' | 'blob_bytes' | 'spaces' | 'agents' | 'links' | 'link_sign_ups';

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

/** People who signed up by the links of this person. */
export function checkLinkSignUps(context: RelayContext, inviter: string): Result<void, Refusal> {
  const used = context.store.links.signUpsBy(inviter);
  return within('link_sign_ups', used, 1, context.limits.signUpsByLinks);
}

/** Links of a space that still let someone in. */
export function checkLinkQuota(
  { store, clock, limits }: RelayContext,
  spaceId: string,
): Result<void, Refusal> {
  const now = clock.now();
  const usable = store.links
    .ofSpace(spaceId)
    .filter((link) => !isUsedUp(link) && (link.expiresAt === null || link.expiresAt > now));
  return within('links', usable.length, 1, limits.linksPerSpace);
}
