/** Questions to the operator, answers, standing grants and receipts, as the host shows them. */
import { z } from 'zod';
import { effectSchema } from './effects.ts';
import { gateAsks } from './gate-asks.ts';
import { hostTextSchema } from './host-text-schema.ts';
import { plainDataSchema } from './plain-data.ts';
import { gateDecisions } from './run-states.ts';

export const riskSchema = z.enum(['low', 'medium', 'high']);

/**
 * `once`: this call. `session`: for this agent until the host stops. `exact`: always this call. `pattern`:
 * always this pattern.
 */
export const allowScopeSchema = z.enum(['once', 'session', 'exact', 'pattern']);
export type AllowScope = z.infer<typeof allowScopeSchema>;

export const approvalAnswerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allow'), scope: allowScopeSchema }),
  z.strictObject({ type: z.literal('deny'), reason: z.string().max(1000).default('') }),
  /**
   * The question stays open, and asks for no attention until something else happens or an hour has passed.
   */
  z.strictObject({ type: z.literal('not_now') }),
  z.strictObject({ type: z.literal('respond'), response: plainDataSchema }),
  /** Whether a workflow step that a crash interrupted was done. */
  z.strictObject({ type: z.literal('settle'), how: z.enum(['done', 'repeat', 'cancel']) }),
]);
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

export const approvalKindSchema = z.enum([
  'tool',
  'spending',
  'invitation',
  'contact',
  'workflow',
  'question',
]);

export const approvalSchema = z.object({
  id: z.string(),
  kind: approvalKindSchema,
  agentId: z.string(),
  agentName: z.string(),
  /** The tool's name; for other kinds the subject. */
  subject: z.string(),
  /** Follows the agent's name: "wants to write hello.md". */
  title: hostTextSchema,
  /** With `cut`, `body` is incomplete, so the call cannot be allowed. */
  preview: z.object({
    kind: z.enum(['command', 'diff', 'text']),
    body: z.string(),
    cut: z.literal(true).optional(),
  }),
  argsJson: z.string(),
  /** Effects of the call, with resolved paths; absent if the question is not about a tool. */
  effects: z.array(effectSchema).readonly().optional(),
  /**
   * sha256 in hex of the question; for a call of its agent, tool, arguments, effects, title and place. An
   * answer must carry the digest that was shown.
   */
  digest: z.string(),
  risk: riskSchema,
  why: hostTextSchema,
  /** Folder or room of the action. */
  where: hostTextSchema,
  sandbox: z.enum(['confined', 'bubblewrap', 'container', 'none']).nullable(),
  /** Room and thread of origin, if the operator can see them. */
  roomId: z.string().nullable(),
  threadRootId: z.string().nullable(),
  /** ms since the epoch. */
  createdAt: z.number(),
  expiresAt: z.number(),
  state: z.enum(['waiting', 'allowed', 'denied', 'expired', 'cancelled']),
  /**
   * The gate of a workflow run; absent for other kinds. `id` is the gate's, `digest` the hash of its content.
   */
  gate: z
    .object({
      runId: z.string(),
      runName: z.string(),
      ...gateAsks,
    })
    .optional(),
  /** Values that the answer has to contain; `respond` carries them, and `allow` stands for the defaults. */
  form: z.object({ schemaJson: z.string(), defaultsJson: z.string() }).optional(),
  /** Web page that the question is about; http or https. Opened only by a person. */
  link: z.string().optional(),
  /** The asker ends with the host, so the next start withdraws the question. */
  endsWithHost: z.literal(true).optional(),
  /** Whether the approvers of a gate were asked in a channel; not in lists. */
  isInChannel: z.boolean().optional(),
  /** When the workflow asked for attention again. */
  remindedAt: z.number().optional(),
  /** No attention requested until then. */
  quietUntil: z.number().nullable(),
  /** The rule that each scope would store; only the scopes that can be offered. */
  offers: z.array(z.object({ scope: allowScopeSchema, rule: hostTextSchema })),
  decision: z
    .object({
      scope: allowScopeSchema.nullable(),
      reason: hostTextSchema,
      surface: z.enum(['window', 'terminal', 'chat', 'tray', 'notification', 'editor', 'expiry', 'host']),
      at: z.number(),
      receiptId: z.string().nullable(),
      /** For a workflow: the approver and the exact decision. */
      by: z.string().optional(),
      as: z.enum(gateDecisions).optional(),
    })
    .nullable(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** Topic `approvals`: open questions by id. `approvals.list` returns older ones. */
export const approvalsViewSchema = z.object({ waiting: z.record(z.string(), approvalSchema) });
export type ApprovalsView = z.infer<typeof approvalsViewSchema>;

export const grantSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  tool: z.string(),
  scope: z.enum(['session', 'exact', 'pattern']),
  /** As shown before it was stored, e.g. `write_file(notes/*)`. */
  rule: hostTextSchema,
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  uses: z.number().int(),
});
export type Grant = z.infer<typeof grantSchema>;

/** Signed with the host's Ed25519 key over agent, tool, argument digest, scope and time. */
export const receiptSchema = z.object({
  id: z.string(),
  approvalId: z.string(),
  agentId: z.string(),
  tool: z.string(),
  digest: z.string(),
  answer: z.enum(['allow', 'deny', 'expired', 'cancelled']),
  scope: allowScopeSchema.nullable(),
  surface: z.string(),
  /** The approver, for questions that others may answer too. */
  by: z.string().optional(),
  /** Earlier approvers, if several are required. */
  agreed: z.array(z.string()).optional(),
  at: z.number(),
  hostKey: z.string(),
  signature: z.string(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** One line of the hash-chained log; contains digests, no message texts or arguments. */
export const auditLineSchema = z.object({
  seq: z.number().int(),
  at: z.number(),
  kind: z.enum([
    'call',
    'decision',
    'grant',
    'revoke',
    'brake',
    'budget',
    'policy',
    'contact',
    'start',
    'undo',
  ]),
  agentId: z.string(),
  tool: z.string(),
  digest: z.string(),
  outcome: z.string(),
  detail: z.string(),
  prev: z.string(),
  hash: z.string(),
});
export type AuditLine = z.infer<typeof auditLineSchema>;

/**
 * A rule of agent.yml or daemon.yml. All given fields must match; the first matching rule of the strictest
 * kind wins.
 */
export const policyRuleSchema = z.strictObject({
  action: z.enum(['allow', 'ask', 'deny']),
  /** Tool name, group (`group:files`) or glob; any tool if absent. */
  tool: z.string().max(200).optional(),
  /**
   * Claude-style pattern, e.g. `Bash(git status *)`, `bash_exec(ls *)`, `write_file(notes/*)`; commands are
   * parsed.
   */
  pattern: z.string().max(500).optional(),
  /** Glob over the resolved path; relative globs are below the workspace. */
  path: z.string().max(500).optional(),
  risk: riskSchema.optional(),
});
export type PolicyRule = z.infer<typeof policyRuleSchema>;

/**
 * `ask`: medium and high risks ask. `trusted_folders`: writes below writable roots run. `unattended`:
 * sandboxed calls run, all others are denied.
 */
export const policyModeSchema = z.enum(['ask', 'trusted_folders', 'unattended']);
export type PolicyMode = z.infer<typeof policyModeSchema>;

export const policyTestSchema = z.object({
  calls: z.number().int(),
  allowed: z.number().int(),
  asked: z.number().int(),
  denied: z.number().int(),
  /** Calls whose verdict would differ, newest first, at most 200. */
  changed: z.array(
    z.object({
      at: z.number(),
      agentId: z.string(),
      tool: z.string(),
      title: hostTextSchema,
      was: z.enum(['allow', 'ask', 'deny']),
      would: z.enum(['allow', 'ask', 'deny']),
      why: hostTextSchema,
    }),
  ),
});
export type PolicyTest = z.infer<typeof policyTestSchema>;
