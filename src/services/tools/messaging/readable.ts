/**
 * Chat reads, limited to what everybody may read who will hear the answer (T9). What was left out is told to the model as a
 * number, and what is shown carries the rooms it came from.
 */

import type { ChatPost } from '../../../core/chat-ports.ts';
import { leftOutText } from '../../../core/policy/audience-words.ts';
import { roomSource, type Source } from '../../../core/policy/source.ts';
import type { ToolCallContext, ToolOutput } from '../../../core/tool-ports.ts';
import { textOutput } from '../../../core/tools/output.ts';

type Context = Pick<ToolCallContext, 'mayRead'>;

export interface Readable<T> {
  readonly shown: readonly T[];
  /** Rooms. */
  readonly leftOut: number;
  readonly sources: readonly Source[];
}

/** Splits by room; each room is looked up once. */
export async function readable<T>(
  { mayRead }: Context,
  all: readonly T[],
  roomOf: (one: T) => string,
): Promise<Readable<T>> {
  const rooms = [...new Set(all.map(roomOf))];
  const open = mayRead
    ? await Promise.all(rooms.map(async (room) => ((await mayRead(room)) ? [room] : [])))
    : rooms.map((room) => [room]);
  const shownRooms = new Set(open.flat());
  return {
    shown: all.filter((one) => shownRooms.has(roomOf(one))),
    leftOut: rooms.length - shownRooms.size,
    sources: [...shownRooms].map(roomSource),
  };
}

export const readablePosts = (context: Context, posts: readonly ChatPost[]): Promise<Readable<ChatPost>> =>
  readable(context, posts, ({ roomId }) => roomId);

/** `text` of what is shown, and what was left out beside it. */
export function readOutput({ leftOut, sources }: Readable<unknown>, text: string): ToolOutput {
  const note = leftOutText(leftOut);
  const output = textOutput(note === '' ? text : `${text}\n${note}`, leftOut === 0 ? undefined : { leftOut });
  return { ...output, sources };
}

/** Of a room that was asked for by name; `null`: it may be read. */
export async function leftOutRoom({ mayRead }: Context, roomId: string): Promise<ToolOutput | null> {
  if (!mayRead || (await mayRead(roomId))) return null;
  return { ...textOutput(leftOutText(1), { leftOut: 1 }), isError: true };
}
