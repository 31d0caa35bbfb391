/** Where what a turn has read came from, who hears its answer, and what the operator shares: plain data (T9). */

/** What belongs to the operator alone. `unknown`: read by a tool that does not say what it shows. */
export const privateSources = ['files', 'notes', 'tasks', 'workflows', 'settings', 'unknown'] as const;

/** Where something that a turn read came from. A room is readable by its members, everything else by the operator. */
export type Source = (typeof privateSources)[number] | `room:${string}`;

export interface Audience {
  /** The room of the conversation; a standing answer names it. */
  readonly roomId: string;
  /** Slugs of all readers but the operator and the operator's own agents; `null` if nobody can say who reads there. */
  readonly outsiders: readonly string[] | null;
}

/** A standing answer: this agent may tell `roomId` what comes from these sources. */
export interface ShareRule {
  readonly sources: readonly Source[];
  readonly roomId: string;
}

export const isSource = (text: string): text is Source =>
  /^room:./.test(text) || (privateSources as readonly string[]).includes(text);

export const roomSource = (roomId: string): Source => `room:${roomId}`;

/** The room of a source; `null` if the source is the operator's. */
export const roomOfSource = (source: Source): string | null =>
  source.startsWith('room:') ? source.slice('room:'.length) : null;
