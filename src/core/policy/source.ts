/** Sources of what a turn has read, its audience, and the operator's share rules: plain data (T9). */

import { mainRoom } from '../../contract/room-id.ts';

/** Sources that only the operator may read. `unknown`: read by a tool that does not declare its sources. */
export const privateSources = ['files', 'notes', 'tasks', 'workflows', 'settings', 'unknown'] as const;

/** Source of content in a turn. The members can read a room; only the operator can read the rest. */
export type Source = (typeof privateSources)[number] | `room:${string}`;

export interface Audience {
  /** Room of the conversation; a standing answer refers to it. */
  readonly roomId: string;
  /** Slugs of all readers except the operator and the operator's own agents; `null` if unknown. */
  readonly outsiders: readonly string[] | null;
}

/** Standing answer: this agent may share these sources with `roomId`. */
export interface ShareRule {
  readonly sources: readonly Source[];
  readonly roomId: string;
}

export const isSource = (text: string): text is Source =>
  /^room:./.test(text) || (privateSources as readonly string[]).includes(text);

/** All conversations with a person are one source: the same people read them. */
export const roomSource = (roomId: string): Source => `room:${mainRoom(roomId)}`;

/** Room of a source; `null` if the source is the operator's. */
export const roomOfSource = (source: Source): string | null =>
  source.startsWith('room:') ? source.slice('room:'.length) : null;
