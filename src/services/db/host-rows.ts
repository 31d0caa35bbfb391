/**
 * Maps approvals, grants, receipts and calls to rows of `host.db` and back; JSON columns are validated when
 * read.
 */
import { z } from 'zod';
import type { Approval, Receipt } from '../../contract/approvals.ts';
import { approvalSchema, receiptSchema } from '../../contract/approvals.ts';
import { effectSchema } from '../../contract/effects.ts';
import { hostTextSchema } from '../../contract/host-text-schema.ts';
import type { ApprovalRow, GrantRow, RecordedCall } from '../../core/approvals/approval-ports.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { isSource, type Source } from '../../core/policy/source.ts';
import { say } from '../../language/say.ts';
import type { SqlRow, SqlValue } from './binding.ts';
import { numberOf, numberOrNull, oneOf, textOf, textOrNull } from './row-fields.ts';
import { packText, unpackText } from './text-column.ts';

type Params = Record<string, SqlValue>;

const assessmentSchema = z.object({
  risk: z.enum(['low', 'medium', 'high']),
  effects: z.array(effectSchema),
  blocked: z.object({ reason: z.string(), message: z.string(), details: z.unknown().optional() }).optional(),
  heldBack: z
    .object({
      roomId: z.string(),
      outsiders: z.array(z.string()).nullable(),
      sources: z.array(z.custom<Source>((value) => typeof value === 'string' && isSource(value))),
      what: hostTextSchema,
      who: hostTextSchema,
    })
    .optional(),
});

function parsed<T>(row: SqlRow, column: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(textOf(row, column)));
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('corrupt', say('storage.hostFieldDamaged', { column }), {
      cause,
    });
  }
}

export const saveApprovalSql = `INSERT OR REPLACE INTO approvals (id, agent_id, state, digest, created_at, turn_id,
    thread_key, call_id, pattern, delivered_at, post_id, post_room, answer_id, body)
  VALUES (:id, :agent_id, :state, :digest, :created_at, :turn_id, :thread_key, :call_id, :pattern, :delivered_at,
    :post_id, :post_room, :answer_id, :body)`;

export const approvalParams = ({ approval, call, pattern, deliveredAt, post }: ApprovalRow): Params => ({
  id: approval.id,
  agent_id: approval.agentId,
  state: approval.state,
  digest: approval.digest,
  created_at: approval.createdAt,
  turn_id: call?.turnId ?? null,
  thread_key: call?.threadKey ?? null,
  call_id: call?.callId ?? null,
  pattern,
  delivered_at: deliveredAt,
  post_id: post?.messageId ?? null,
  post_room: post?.roomId ?? null,
  answer_id: post?.answerId ?? null,
  body: JSON.stringify(approval),
});

export function approvalFromRow(row: SqlRow): ApprovalRow {
  const approval: Approval = parsed(row, 'body', approvalSchema);
  const [turnId, threadKey, callId, postId] = [
    textOrNull(row, 'turn_id'),
    textOrNull(row, 'thread_key'),
    textOrNull(row, 'call_id'),
    textOrNull(row, 'post_id'),
  ];
  const call =
    turnId === null || threadKey === null || callId === null
      ? null
      : { agentId: approval.agentId, turnId, threadKey, callId };
  const post =
    postId === null
      ? null
      : {
          messageId: postId,
          roomId: textOrNull(row, 'post_room') ?? '',
          answerId: textOrNull(row, 'answer_id'),
        };
  return {
    approval,
    call,
    pattern: textOf(row, 'pattern'),
    deliveredAt: numberOrNull(row, 'delivered_at'),
    post,
  };
}

export const receiptOf = (row: SqlRow): Receipt => parsed(row, 'body', receiptSchema);

export const saveGrantSql = `INSERT OR REPLACE INTO grants (id, agent_id, agent_name, tool, scope, rule, digest, pattern,
    created_at, last_used_at, uses, revoked_at)
  VALUES (:id, :agent_id, :agent_name, :tool, :scope, :rule, :digest, :pattern, :created_at, :last_used_at, :uses,
    :revoked_at)`;

export const grantParams = ({ grant, digest, pattern, revokedAt }: GrantRow): Params => ({
  id: grant.id,
  agent_id: grant.agentId,
  agent_name: grant.agentName,
  tool: grant.tool,
  scope: grant.scope,
  rule: packText(grant.rule),
  digest,
  pattern,
  created_at: grant.createdAt,
  last_used_at: grant.lastUsedAt,
  uses: grant.uses,
  revoked_at: revokedAt,
});

export const grantOf = (row: SqlRow): GrantRow => ({
  grant: {
    id: textOf(row, 'id'),
    agentId: textOf(row, 'agent_id'),
    agentName: textOf(row, 'agent_name'),
    tool: textOf(row, 'tool'),
    scope: oneOf(row, 'scope', ['session', 'exact', 'pattern']),
    rule: unpackText(row, 'rule'),
    createdAt: numberOf(row, 'created_at'),
    lastUsedAt: numberOrNull(row, 'last_used_at'),
    uses: numberOf(row, 'uses'),
  },
  digest: textOrNull(row, 'digest'),
  pattern: textOf(row, 'pattern'),
  revokedAt: numberOrNull(row, 'revoked_at'),
});

export const recordCallSql = `INSERT INTO calls (at, agent_id, tool, tool_group, title, args, digest, tainted, assessment,
    verdict)
  VALUES (:at, :agent_id, :tool, :tool_group, :title, :args, :digest, :tainted, :assessment, :verdict)`;

export const callParams = (call: RecordedCall): Params => ({
  at: call.at,
  agent_id: call.agentId,
  tool: call.tool,
  tool_group: call.group,
  title: packText(call.title),
  args: call.argsJson,
  digest: call.digest,
  tainted: call.tainted ? 1 : 0,
  assessment: JSON.stringify({ ...call.assessment, heldBack: call.heldBack }),
  verdict: call.verdict,
});

export function callOf(row: SqlRow): RecordedCall {
  const { risk, effects, blocked, heldBack } = parsed(row, 'assessment', assessmentSchema);
  return {
    seq: numberOf(row, 'seq'),
    at: numberOf(row, 'at'),
    agentId: textOf(row, 'agent_id'),
    tool: textOf(row, 'tool'),
    group: textOf(row, 'tool_group'),
    title: unpackText(row, 'title'),
    argsJson: textOf(row, 'args'),
    digest: textOf(row, 'digest'),
    tainted: numberOf(row, 'tainted') === 1,
    assessment: { risk, effects, ...(blocked ? { blocked } : {}) },
    ...(heldBack ? { heldBack } : {}),
    verdict: oneOf(row, 'verdict', ['allow', 'ask', 'deny']),
  };
}
