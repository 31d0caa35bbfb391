/** Questions to the operator, their answers, standing grants, receipts: as the host shows them. */
import { z } from 'zod';
import { effectSchema } from './effects.ts';
import { gateAsks } from './gate-asks.ts';
import { plainDataSchema } from './plain-data.ts';

export const riskSchema = z.enum(['low', 'medium', 'high']);

/** `once` this call; `session` until the host stops, for this agent; `exact` always this; `pattern` always this pattern. */
export const allowScopeSchema = z.enum(['once', 'session', 'exact', 'pattern']);
export type AllowScope = z.infer<typeof allowScopeSchema>;

export const approvalAnswerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allow'), scope: allowScopeSchema }),
  z.strictObject({ type: z.literal('deny'), reason: z.string().max(1000).default('') }),
  /** Keeps waiting, but no longer asks for attention until something else happens or an hour has passed. */
  z.strictObject({ type: z.literal('not_now') }),
  /** Of a workflow: the answer that its schema asks for. */
  z.strictObject({ type: z.literal('respond'), response: plainDataSchema }),
  /** Of a step that a crash interrupted: what became of it. */
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
  /** The tool's name; for other kinds what it is about. */
  subject: z.string(),
  /** After the agent's name: "wants to write hello.md". */
  title: z.string(),
  /** `cut`: `body` is only the beginning, so nothing can be allowed. */
  preview: z.object({
    kind: z.enum(['command', 'diff', 'text']),
    body: z.string(),
    cut: z.literal(true).optional(),
  }),
  /** The full arguments as JSON. */
  argsJson: z.string(),
  /** Effects of the call, with resolved paths; absent if no tool asks. */
  effects: z.array(effectSchema).readonly().optional(),
  /**
   * sha256, hex, of what is asked: of a call its agent, tool, arguments, effects, title and place. An answer must carry
   * the one that was shown.
   */
  digest: z.string(),
  risk: riskSchema,
  /** Why it is asked, in a sentence. */
  why: z.string(),
  /** Folder or room where it would happen. */
  where: z.string(),
  sandbox: z.enum(['confined', 'bubblewrap', 'none']).nullable(),
  /** The room and thread it came from, where the operator can see them. */
  roomId: z.string().nullable(),
  threadRootId: z.string().nullable(),
  /** ms since the epoch. */
  createdAt: z.number(),
  expiresAt: z.number(),
  state: z.enum(['waiting', 'allowed', 'denied', 'expired', 'cancelled']),
  /** What a run of a workflow asks; absent for everything else. `id` is the gate's, `digest` the hash of its content. */
  gate: z
    .object({
      runId: z.string(),
      runName: z.string(),
      ...gateAsks,
    })
    .optional(),
  /** Of a workflow: when its author wanted it to call for attention again. */
  remindedAt: z.number().optional(),
  /** Asked to wait until then. */
  quietUntil: z.number().nullable(),
  /** What each answer would store, in the words and the rule that would be stored; only what can be offered. */
  offers: z.array(z.object({ scope: allowScopeSchema, rule: z.string() })),
  decision: z
    .object({
      scope: allowScopeSchema.nullable(),
      reason: z.string(),
      surface: z.enum(['window', 'terminal', 'chat', 'tray', 'notification', 'expiry', 'host']),
      at: z.number(),
      receiptId: z.string().nullable(),
      /** Of a workflow: who decided, and what it was exactly. */
      by: z.string().optional(),
      as: z
        .enum(['approve', 'reject', 'answer', 'done', 'repeat', 'cancel', 'timeout', 'withdrawn'])
        .optional(),
    })
    .nullable(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** Topic `approvals`: what waits, by id. History comes by `approvals.list`. */
export const approvalsViewSchema = z.object({ waiting: z.record(z.string(), approvalSchema) });
export type ApprovalsView = z.infer<typeof approvalsViewSchema>;

export const grantSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  tool: z.string(),
  scope: z.enum(['session', 'exact', 'pattern']),
  /** As shown before it was stored, e.g. `write_file(notes/*)`. */
  rule: z.string(),
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
  /** Who it was, of a question that others than the operator may answer, too. */
  by: z.string().optional(),
  /** Who had agreed before, where several must. */
  agreed: z.array(z.string()).optional(),
  at: z.number(),
  hostKey: z.string(),
  signature: z.string(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** One line of the hash-chained log; no message text, no arguments, only their digest. */
export const auditLineSchema = z.object({
  seq: z.number().int(),
  at: z.number(),
  kind: z.enum(['call', 'decision', 'grant', 'revoke', 'brake', 'budget', 'policy', 'contact', 'start']),
  agentId: z.string(),
  tool: z.string(),
  digest: z.string(),
  outcome: z.string(),
  detail: z.string(),
  prev: z.string(),
  hash: z.string(),
});
export type AuditLine = z.infer<typeof auditLineSchema>;

/** A rule of agent.yml or daemon.yml. All given fields must fit; the first fitting rule of the strictest kind wins. */
export const policyRuleSchema = z.strictObject({
  action: z.enum(['allow', 'ask', 'deny']),
  /** Tool name, group (`group:files`) or glob; absent: any. */
  tool: z.string().max(200).optional(),
  /** Claude-style pattern, e.g. `Bash(git status *)`, `bash_exec(ls *)`, `write_file(notes/*)`; commands are parsed. */
  pattern: z.string().max(500).optional(),
  /** Glob over the resolved path, relative ones below the workspace. */
  path: z.string().max(500).optional(),
  risk: riskSchema.optional(),
});
export type PolicyRule = z.infer<typeof policyRuleSchema>;

/** `ask`: medium and high ask. `trusted_folders`: writes below writable roots run. `unattended`: what a sandbox holds runs, the rest is denied. */
export const policyModeSchema = z.enum(['ask', 'trusted_folders', 'unattended']);
export type PolicyMode = z.infer<typeof policyModeSchema>;

export const policyTestSchema = z.object({
  calls: z.number().int(),
  allowed: z.number().int(),
  asked: z.number().int(),
  denied: z.number().int(),
  /** Where the verdict differs from what happened then, newest first, at most 200. */
  changed: z.array(
    z.object({
      at: z.number(),
      agentId: z.string(),
      tool: z.string(),
      title: z.string(),
      was: z.enum(['allow', 'ask', 'deny']),
      would: z.enum(['allow', 'ask', 'deny']),
      why: z.string(),
    }),
  ),
});
export type PolicyTest = z.infer<typeof policyTestSchema>;
