/**
 * Methods about the conversations of a direct message. Titles, archiving and deletion stay in the operator's
 * store; the other person sees only which conversation a message belongs to.
 */
import { z } from 'zod';
import { done, row } from './method-row.ts';

const conversation = z.strictObject({ room: z.string().min(1).max(200) });
const title = z.string().trim().max(120);

export const conversationMethods = {
  /** Starts a conversation with an agent or a person; an empty one without a title is used again. */
  'chat.newConversation': row(
    () => conversation.extend({ title: title.default('') }),
    () => z.object({ roomId: z.string() }),
  ),
  /** An empty title shows the first message again. */
  'chat.renameConversation': row(
    () => conversation.extend({ title }),
    () => done,
  ),
  /** Hides a conversation from the list until a message arrives in it. `conflict` for the main one. */
  'chat.archiveConversation': row(
    () => conversation.extend({ archived: z.boolean().default(true) }),
    () => done,
  ),
  /**
   * Deletes the messages of a conversation from the operator's store; the others keep their copies. `conflict`
   * for the main one, and while a message of it waits to be sent.
   */
  'chat.deleteConversation': row(
    () => conversation,
    () => done,
  ),
} as const;
