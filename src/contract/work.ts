/** Views of agents' work and its cost: tool steps, usage and budgets, memory, logins. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';

export const planEntrySchema = z.object({
  text: z.string(),
  state: z.enum(['pending', 'in_progress', 'completed']),
});
export type PlanEntry = z.infer<typeof planEntrySchema>;

/** One tool call of a turn, its plan, or a stretch of its thinking, collapsed into a line under the message. */
export const toolStepSchema = z.object({
  callId: z.string(),
  /** The call that made this one: code, a script or a sub-agent. */
  parentId: z.string().optional(),
  tool: z.string(),
  /** For people: "wrote hello.md, 3 lines"; while it runs "writing hello.md". */
  title: hostTextSchema,
  state: z.enum(['running', 'waiting', 'done', 'failed', 'denied', 'unknown']),
  /** Arguments and result as text, cut to 4,000 characters. */
  detail: z.string(),
  /** Set while a question about it is open. */
  approvalId: z.string().nullable(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Restore point of what the call changed in files; absent if nothing. */
  restorePoint: z.string().optional(),
  /** Text that the call replaces in a file, cut to 4,000 characters; `before` is empty for a whole file. */
  change: z.object({ path: z.string(), before: z.string(), after: z.string() }).optional(),
  /** The steps that the agent means to take. */
  plan: z.array(planEntrySchema).optional(),
});
export type ToolStep = z.infer<typeof toolStepSchema>;

/**
 * `usd` is the known part, or `null` if nothing is known; `simulated` means sample prices of the scripted
 * model only.
 */
export const spendSchema = z.object({
  tokens: z.number().int(),
  usd: z.number().nullable(),
  /** Tokens without a known price, not included in `usd`. */
  unpriced: z.number().int(),
  simulated: z.boolean(),
});
export type Spend = z.infer<typeof spendSchema>;

export const budgetSchema = z.strictObject({
  tokensPerDay: z.number().int().min(0).nullable(),
  tokensPerMonth: z.number().int().min(0).nullable(),
  usdPerDay: z.number().min(0).nullable(),
  usdPerMonth: z.number().min(0).nullable(),
});
export type Budget = z.infer<typeof budgetSchema>;

export const usageViewSchema = z.object({
  /** Local days, oldest first, without gaps. */
  days: z.array(
    z.object({
      day: z.string(),
      calls: z.number().int(),
      input: z.number().int(),
      output: z.number().int(),
      cacheRead: z.number().int(),
      cacheWrite: z.number().int(),
      usd: z.number().nullable(),
      unpriced: z.number().int(),
      simulated: z.boolean(),
    }),
  ),
  byModel: z.array(
    z.object({ provider: z.string(), model: z.string(), calls: z.number().int(), spend: spendSchema }),
  ),
  byThread: z.array(z.object({ threadKey: z.string(), calls: z.number().int(), spend: spendSchema })),
  today: spendSchema,
  month: spendSchema,
  budget: budgetSchema,
  /** Use per limit, most used first; 1 is the full budget. */
  used: z.array(
    z.object({
      limit: z.enum(['tokensPerDay', 'tokensPerMonth', 'usdPerDay', 'usdPerMonth']),
      /** `own`: of the requested agent. `total`: of all agents together, which also stops this one. */
      scope: z.enum(['own', 'total']),
      /** Simulated dollars of the demo, counted separately. */
      simulated: z.boolean(),
      /** The limit plus the operator's additional allowance. */
      max: z.number(),
      share: z.number(),
    }),
  ),
});
export type UsageView = z.infer<typeof usageViewSchema>;

export const memoryNoteSchema = z.object({
  name: z.string(),
  bytes: z.number().int(),
  updatedAt: z.number(),
  /** No line was written while untrusted content was in the conversation. */
  confirmed: z.boolean(),
});
/** Lines of a note that the agent gets as information only, until the operator confirms them. */
export const unconfirmedLinesSchema = z.object({
  text: z.string(),
  /** Time and thread of the first of them; 0 and empty if unknown. */
  at: z.number(),
  threadKey: z.string(),
});
export const memoryVersionSchema = z.object({
  version: z.number().int(),
  at: z.number(),
  by: z.enum(['agent', 'operator']),
  bytes: z.number().int(),
  removed: z.boolean(),
});

export const authStatusSchema = z.object({
  provider: z.string(),
  name: z.string(),
  /** Authentication methods of this provider. */
  kinds: z.array(z.enum(['api_key', 'login'])),
  state: z.enum(['none', 'api_key', 'environment', 'logged_in', 'expired']),
  /** As the provider reports it, or empty. */
  account: z.string(),
  expiresAt: z.number().nullable(),
});
export type AuthStatus = z.infer<typeof authStatusSchema>;

/** A login in progress: open `url`; for a device login enter `userCode` there. */
export const loginStartSchema = z.object({
  loginId: z.string(),
  url: z.string(),
  userCode: z.string(),
  expiresAt: z.number(),
});

/** A thread that the loop brake stopped, with the reason. */
export const brakeSchema = z.object({
  agentId: z.string(),
  roomId: z.string(),
  rootId: z.string(),
  turns: z.number().int(),
  why: hostTextSchema,
  at: z.number(),
});
export type Brake = z.infer<typeof brakeSchema>;

export const toolsConfigSchema = z.strictObject({
  allow: z.array(z.string().max(200)).max(200),
  alsoAllow: z.array(z.string().max(200)).max(200),
  deny: z.array(z.string().max(200)).max(200),
});
export type ToolsConfig = z.infer<typeof toolsConfigSchema>;

/** Handling of a message that arrives while the agent works. */
export const arrivalSchema = z.enum(['steer', 'follow_up']);
