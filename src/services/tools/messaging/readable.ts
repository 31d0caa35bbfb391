/**
 * Chat reads, limited to rooms that every recipient of the reply may read (T9). The model gets the number of
 * omitted rooms; the shown content carries its source rooms.
 */

import { leftOutText } from '../../../core/policy/audience-text.ts';
import { roomSource, type Source } from '../../../core/policy/source.ts';
import type { ChatPost } from '../../../core/tools/chat-ports.ts';
import { textOutput } from '../../../core/tools/output.ts';
import type { ToolCallContext, ToolOutput } from '../../../core/tools/tool.ts';

type Context = Pick<ToolCallContext, 'mayRead'>;

export interface Readable<T> {
  readonly shown: readonly T[];
  /** Number of rooms. */
  readonly leftOut: number;
  readonly sources: readonly Source[];
}

/** Splits by room; each room is checked once. */
export async function readableMessage<T>(
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
  readableMessage(context, posts, ({ roomId }) => roomId);

/** The shown `text` with a note on what was omitted. */
export function readOutput({ leftOut, sources }: Readable<unknown>, text: string): ToolOutput {
  const note = leftOutText(leftOut);
  const output = textOutput(note === '' ? text : `${text}\n${note}`, leftOut === 0 ? undefined : { leftOut });
  return { ...output, sources };
}

/** The refusal for a single requested room, or `null` if it may be read. */
export async function leftOutRoom({ mayRead }: Context, roomId: string): Promise<ToolOutput | null> {
  if (!mayRead || (await mayRead(roomId))) return null;
  return { ...textOutput(leftOutText(1), { leftOut: 1 }), isError: true };
}
