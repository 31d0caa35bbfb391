/** Rows of the method table about what was said before: pages of it, search, and why an agent did or did not answer. */
import { z } from 'zod';
import { row } from './method-row.ts';
import { chatMessageSchema } from './model.ts';

export const searchHitSchema = z.object({
  id: z.string(),
  roomId: z.string(),
  /** `#name` of a channel, else the other side's name. */
  roomName: z.string(),
  senderSlug: z.string(),
  senderName: z.string(),
  senderAgent: z.boolean(),
  /** ms since the epoch. */
  sentAt: z.number(),
  threadRootId: z.string().nullable(),
  /** From a little before the first word that was searched for. */
  excerpt: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

const whyStateSchema = z.enum([
  'own',
  'queued',
  'working',
  'done',
  'failed',
  'silent',
  /** It has not got the message. */
  'unseen',
]);

export const agentWhySchema = z.object({
  agentId: z.string(),
  name: z.string(),
  state: whyStateSchema,
  /** What follows the name: "was not mentioned", … */
  text: z.string(),
});
export type AgentWhy = z.infer<typeof agentWhySchema>;

export const historyMethods = {
  /**
   * Oldest first, at most 200 a page. `before`, `after`, `around` and `thread` (its root) are message ids, one of them at
   * a time. `hasMore`: older ones; `hasLater`: newer ones. `not_found` where `around` or `thread` is not in the room.
   */
  'chat.history': row(
    () =>
      z.strictObject({
        room: z.string().min(1).max(200),
        before: z.string().max(100).optional(),
        after: z.string().max(100).optional(),
        around: z.string().max(100).optional(),
        thread: z.string().max(100).optional(),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    () =>
      z.object({
        roomId: z.string(),
        messages: z.array(chatMessageSchema),
        hasMore: z.boolean(),
        hasLater: z.boolean(),
      }),
  ),
  /**
   * Newest first, in your own messages or in those of one of your agents. All words must be there; "…" keeps words
   * together, a * at the end of a word stands for its rest. `before` is a message id.
   */
  'chat.search': row(
    () =>
      z.strictObject({
        words: z.string().min(1).max(500),
        room: z.string().min(1).max(200).optional(),
        agent: z.string().min(1).max(200).optional(),
        before: z.string().max(100).optional(),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    () => z.object({ hits: z.array(searchHitSchema), hasMore: z.boolean() }),
  ),
  /** What each of your agents in its room made of one message, and why. */
  'chat.why': row(
    () => z.strictObject({ message: z.string().min(1).max(100) }),
    () => z.object({ message: searchHitSchema, agents: z.array(agentWhySchema) }),
  ),
  /** What was said to your agents lately and has no answer, newest first, each with the reason. */
  'chat.missed': row(
    () =>
      z.strictObject({
        agent: z.string().min(1).max(200).optional(),
        days: z.number().int().min(1).max(366).default(7),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    () =>
      z.object({
        missed: z.array(agentWhySchema.extend({ message: searchHitSchema })),
        /** Agents that do not run: what they have got cannot be looked at now. `text` says why. */
        closed: z.array(agentWhySchema),
      }),
  ),
} as const;
