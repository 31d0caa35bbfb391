/**
 * Decides who may learn what an agent has read (T9). The audience of a turn is everyone who reads the
 * conversation it answers in. While untrusted content is in the turn, its sources go only where the whole
 * audience could read them already, or where the operator shares them. Pure: the caller looks up members and
 * standing answers.
 */
import { z } from 'zod';
import { jsonAs } from '../lib/json-as.ts';
import type { Effect, ToolGroup } from './assessment.ts';
import { type Audience, isSource, roomOfSource, type ShareRule, type Source } from './source.ts';

/** Only the operator and the operator's agents read there: nothing is held back. */
export const isPrivate = ({ outsiders }: Audience): boolean => outsiders?.length === 0;

/**
 * `readers`: the outsiders of `roomId`; `null` if unknown. True if the whole audience could read that room
 * already.
 */
export function canReadRoom(audience: Audience, roomId: string, readers: readonly string[] | null): boolean {
  if (roomId === audience.roomId) return true;
  const { outsiders } = audience;
  return outsiders !== null && readers !== null && outsiders.every((slug) => readers.includes(slug));
}

const isShared = (shares: readonly ShareRule[], { roomId }: Audience, source: Source): boolean =>
  shares.some((share) => share.roomId === roomId && share.sources.includes(source));

export interface ReleaseFacts {
  /** The turn contains untrusted content. */
  readonly tainted: boolean;
  readonly audience: Audience;
  /** All sources of the conversation. */
  readonly sources: readonly Source[];
  /** Outsiders of each room among `sources`; absent or `null` if unknown. */
  readonly readers: ReadonlyMap<string, readonly string[] | null>;
  readonly shares: readonly ShareRule[];
}

/** Sources that need the operator's approval before the answer goes out; empty if it may be sent. */
export function decideRelease({
  tainted,
  audience,
  sources,
  readers,
  shares,
}: ReleaseFacts): readonly Source[] {
  if (!tainted || isPrivate(audience)) return [];
  const mayKnow = (source: Source): boolean => {
    const room = roomOfSource(source);
    if (room !== null && canReadRoom(audience, room, readers.get(room) ?? null)) return true;
    return isShared(shares, audience, source);
  };
  return [...new Set(sources)].filter((source) => !mayKnow(source));
}

/** Whether a private source may be part of every turn of this conversation, as notes are of the prompt. */
export const mayKnowAlways = (audience: Audience, source: Source, shares: readonly ShareRule[]): boolean =>
  isPrivate(audience) || isShared(shares, audience, source);

const byGroup: Readonly<Record<ToolGroup, Source>> = {
  core: 'unknown',
  files: 'files',
  shell: 'files',
  memory: 'notes',
  puffo: 'unknown',
  puppy: 'workflows',
  mcp: 'unknown',
  code: 'unknown',
};

/** Sources that a tool's results may contain; by default those of its group. */
export const revealedBy = (tool: {
  readonly group: ToolGroup;
  readonly reveals?: readonly Source[];
}): readonly Source[] => tool.reveals ?? [byGroup[tool.group]];

/** Sources that a refused or failed call may reveal. */
export const revealedByRefusal = (
  tool: Parameters<typeof revealedBy>[0] & { readonly refusalReveals?: readonly Source[] },
): readonly Source[] => tool.refusalReveals ?? revealedBy(tool);

/** Sources that the call itself sends, such as attached files. */
export const carriedBy = (effects: readonly Effect[]): readonly Source[] =>
  effects.some(({ kind }) => kind === 'read') ? ['files'] : [];

/** Stored instead of a tool name; no tool has this name, so no such answer ever allows a call. */
export const shareTool = 'share';

const storedShare = z.strictObject({
  room: z.string().min(1),
  sources: z.array(z.string().refine(isSource)).min(1),
});

export const shareText = ({ roomId, sources }: ShareRule): string =>
  JSON.stringify({ room: roomId, sources: [...new Set(sources)].sort() });

/** `null` if the text is no such answer. */
export function readShare(text: string): ShareRule | null {
  const found = jsonAs(storedShare, text);
  return found && { roomId: found.room, sources: found.sources.filter(isSource) };
}
