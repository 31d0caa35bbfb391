/** Methods about earlier messages: pages, search, and why an agent did or did not answer. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { row } from './method-row.ts';
import { chatMessageSchema } from './model.ts';

export const searchHitSchema = z.object({
  id: z.string(),
  roomId: z.string(),
  /** `#name` of a channel, else the other person's name. */
  roomName: z.string(),
  senderSlug: z.string(),
  senderName: z.string(),
  senderAgent: z.boolean(),
  /** ms since the epoch. */
  sentAt: z.number(),
  threadRootId: z.string().nullable(),
  /** Starts shortly before the first match. */
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
  /** The agent has not received the message. */
  'unseen',
]);

export const agentWhySchema = z.object({
  agentId: z.string(),
  name: z.string(),
  state: whyStateSchema,
  /** Follows the name: "was not mentioned", … */
  text: hostTextSchema,
});
export type AgentWhy = z.infer<typeof agentWhySchema>;

export const historyMethods = {
  /**
   * Oldest first, at most 200 per page. `before`, `after`, `around` and `thread` (its root) are message ids;
   * only one may be given. `hasMore` refers to older messages, `hasLater` to newer ones. `not_found` if
   * `around` or `thread` is not in the room.
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
   * Newest first, in the operator's messages or in those of an agent. All words must match; quotes mark a
   * phrase, a final * matches the rest of a word. `before` is a message id. `words` may contain filters:
   * `from:guide`, `in:#general`, `before:2026-11-01`, `after:2026-10-01` (days in UTC), `has:file`; German `von:`,
   * `in:`, `vor:`, `ab:`, `mit:datei`.
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
  'chat.why': row(
    () => z.strictObject({ message: z.string().min(1).max(100) }),
    () => z.object({ message: searchHitSchema, agents: z.array(agentWhySchema) }),
  ),
  /** Lets an own agent answer a message again; the previous answer stays. */
  'chat.answerAgain': row(
    () => z.strictObject({ agent: z.string().min(1).max(200), message: z.string().min(1).max(100) }),
    () => z.strictObject({}),
  ),
  /** Recent unanswered messages to own agents, newest first, each with the reason. */
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
        /** Agents that do not run, so their messages are not readable. `text` has the reason. */
        closed: z.array(agentWhySchema),
      }),
  ),
} as const;
