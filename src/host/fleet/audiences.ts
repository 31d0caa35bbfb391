import { z } from 'zod';
import { dmSlug, mainRoom } from '../../contract/room-id.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { AudiencePort, ReadLog, ReadRecord } from '../../core/policy/audience-ports.ts';
import { isSource, type ShareRule } from '../../core/policy/source.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { VerifiedIdentity } from '../../core/puffo/registry.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';

// Readers of an agent's rooms, by the server's member lists; membership of the operator's identities is
// verified by key (T9).

export interface AudienceDeps {
  readonly account: () => Pick<Account, 'client' | 'rooms' | 'channelName'>;
  readonly directory: Pick<ServerDirectory, 'members'>;
  readonly store: Pick<AccountStore, 'queries'>;
  readonly isOwn: OwnCircle;
  shares(): readonly ShareRule[];
}

/** Whether a slug belongs to the agent, its operator, or another agent of that operator. */
export type OwnCircle = (slug: string) => boolean;

export interface OwnCircleDeps {
  readonly slug: string;
  readonly identities: Pick<ServerDirectory['identities'], 'remembered'>;
  /** Verified by key. */
  isOperator(slug: string): boolean;
  /** Agents of this host on the agent's server. */
  isOwnAgent(slug: string): boolean;
  /** base64url; `null` if the agent has no operator. */
  operatorRoot(): string | null;
}

/** Maximum age of a member list in ms. */
const membersMaxAgeMs = 60_000;

/** The operator attested that agent, so the operator may know what it knows. */
const attestedBy = (identity: VerifiedIdentity | null, root: string | null): boolean =>
  root !== null && identity?.identityType === 'agent' && identity.attestedOperatorPublicKey === root;

export const createOwnCircle =
  ({ slug: own, identities, isOperator, isOwnAgent, operatorRoot }: OwnCircleDeps): OwnCircle =>
  (slug) =>
    slug === own ||
    isOperator(slug) ||
    isOwnAgent(slug) ||
    attestedBy(identities.remembered(slug), operatorRoot());

export function createAudiences(deps: AudienceDeps): AudiencePort {
  const { account, directory, store, isOwn } = deps;
  const membersOf = async (channelId: string): Promise<readonly string[] | null> => {
    const known = account()
      .rooms()
      .channels.find(({ id }) => id === channelId);
    const spaceId = known?.spaceId ?? store.queries.spaceOf(channelId);
    if (spaceId === null) return null;
    const members = await directory.members.of(account().client, spaceId, channelId, membersMaxAgeMs);
    return members.ok ? members.value.map(({ slug }) => slug) : null;
  };
  const outsidersOf = async (roomId: string): Promise<readonly string[] | null> => {
    const other = dmSlug(roomId);
    const members = other === null ? await membersOf(roomId) : [other];
    return members?.filter((slug) => !isOwn(slug)) ?? null;
  };
  return {
    async of(roomId) {
      return { roomId: mainRoom(roomId), outsiders: await outsidersOf(roomId) };
    },
    isOwnRoom(roomId) {
      const other = dmSlug(roomId);
      return other !== null && isOwn(other);
    },
    shares: deps.shares,
    roomName(roomId) {
      const other = dmSlug(roomId);
      return other === null ? `#${account().channelName(roomId)}` : `@${other}`;
    },
  };
}

const recordSchema = z.object({ sources: z.array(z.string()), tainted: z.boolean() });
const keyOf = (threadKey: string): string => `reads ${threadKey}`;
const lost: ReadRecord = { sources: ['unknown'], tainted: true };

/** Stored in the agent's own store, beside the transcripts. */
export const createReadLog = (store: Pick<AccountStore, 'getValue' | 'setValue'>): ReadLog => ({
  of(threadKey) {
    const text = store.getValue(keyOf(threadKey));
    if (text === null) return null;
    const found = jsonAs(recordSchema, text);
    return found ? { ...found, sources: found.sources.filter(isSource) } : lost;
  },
  keep: (threadKey, record) => store.setValue(keyOf(threadKey), JSON.stringify(record)),
});
