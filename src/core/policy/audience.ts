/**
 * Decides who may be told what an agent has read (T9). The audience of a turn is everyone who reads the conversation it answers in.
 * While untrusted content is in the turn, what the turn read goes only where everybody in the audience could read it
 * already, or where the operator shares it. Pure: members and standing answers are looked up by the caller.
 */
import { z } from 'zod';
import { jsonAs } from '../lib/json-as.ts';
import type { Effect, ToolGroup } from '../tool-ports.ts';
import { type Audience, isSource, roomOfSource, type ShareRule, type Source } from './source.ts';

/** Only the operator and the operator's agents read there: nothing is held back. */
export const isPrivate = ({ outsiders }: Audience): boolean => outsiders?.length === 0;

/** `readers`: the outsiders of `roomId`; `null` if unknown. True if the whole audience could read that room already. */
export function canReadRoom(audience: Audience, roomId: string, readers: readonly string[] | null): boolean {
  if (roomId === audience.roomId) return true;
  const { outsiders } = audience;
  return outsiders !== null && readers !== null && outsiders.every((slug) => readers.includes(slug));
}

const isShared = (shares: readonly ShareRule[], { roomId }: Audience, source: Source): boolean =>
  shares.some((share) => share.roomId === roomId && share.sources.includes(source));

export interface ReleaseFacts {
  /** Untrusted content is in the turn. */
  readonly tainted: boolean;
  readonly audience: Audience;
  /** All that the conversation holds. */
  readonly sources: readonly Source[];
  /** The outsiders of each room among `sources`; absent or `null`: unknown. */
  readonly readers: ReadonlyMap<string, readonly string[] | null>;
  readonly shares: readonly ShareRule[];
}

/** What must not go to the audience without the operator's yes; empty: the answer is free to go. */
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
};

/** What a tool's results may show; a tool that does not say shows what its group holds. */
export const revealedBy = (tool: {
  readonly group: ToolGroup;
  readonly reveals?: readonly Source[];
}): readonly Source[] => tool.reveals ?? [byGroup[tool.group]];

/** What goes out with the call itself, such as the files it sends. */
export const carriedBy = (effects: readonly Effect[]): readonly Source[] =>
  effects.some(({ kind }) => kind === 'read') ? ['files'] : [];

// --- standing answers as they are stored --------------------------------------------------------------------------

/** In the place of a tool's name: no tool has it, so no such answer ever allows a call. */
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
