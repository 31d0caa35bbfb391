/**
 * One-shot reminders of clients from 2.0 (`/v2/agent-runtime/reminder-occurrences`). The relay stores the due
 * time and a payload that only its agent can decrypt; the agent delivers it. A claim with a lease keeps two
 * processes of one agent from delivering twice.
 */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { fromBase64Url } from '../core/lib/bytes.ts';
import { say } from '../language/say.ts';
import {
  answer,
  type Caller,
  type RelayContext,
  type RelayRequest,
  type RouteOutcome,
  wholeNumberParam,
} from './context.ts';
import { notFound, type Refusal, refuseRequest } from './refusal.ts';
import type { ReminderRow } from './store-port-agents.ts';

const maxPayloadBytes = 32_768;
const maxPage = 200;
const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);
const timeSchema = z
  .string()
  .max(40)
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/);
const payloadSchema = z.string().refine((text) => {
  const bytes = fromBase64Url(text);
  return bytes !== null && bytes.length >= 1 && bytes.length <= maxPayloadBytes;
}, 'The payload must be base64url of 1 to 32768 bytes.');
const rowSchema = z
  .object({
    revision: z.union([z.literal(1), z.literal(2)]),
    reminder_id: idSchema,
    due_at: timeSchema,
    lifecycle: z.enum(['scheduled', 'cancelled', 'delivered']),
    lifecycle_at: timeSchema,
    payload_format: z.literal('puffo-reminder-aead-v1'),
    opaque_payload: payloadSchema,
    delivery_claim_id: z.string().min(1).max(200).optional(),
  })
  .refine(
    ({ revision, lifecycle }) => (revision === 1) === (lifecycle === 'scheduled'),
    'Revision 1 is scheduled, revision 2 is cancelled or delivered.',
  );
type RowInput = z.output<typeof rowSchema>;

const claimSchema = z.object({ revision: z.number().int().min(1), claim_id: z.string().min(1).max(200) });
const replaceSchema = z.object({
  expected_revision: z.literal(1),
  cancelled_at: timeSchema,
  replacement_occurrence_id: idSchema,
  replacement: rowSchema,
});

const view = (row: ReminderRow) => ({
  occurrence_id: row.occurrenceId,
  revision: row.revision,
  reminder_id: row.reminderId,
  due_at: row.dueAt,
  lifecycle: row.lifecycle,
  lifecycle_at: row.lifecycleAt,
  payload_format: row.payloadFormat,
  ...(row.lifecycle === 'scheduled' ? { opaque_payload: row.payload } : {}),
});

const tooLate = () => refuseRequest('too_late', say('relay.reminderBusy'));
const conflict = () => refuseRequest('CONFLICT', say('relay.occurrenceKnown'));

function isClaimed(row: ReminderRow, now: number, claimId: string | undefined): boolean {
  return row.claimId !== null && (row.claimUntil ?? 0) > now && row.claimId !== claimId;
}

function rowOf(context: RelayContext, owner: string, occurrenceId: string, input: RowInput): ReminderRow {
  return {
    ownerSlug: owner,
    occurrenceId,
    revision: input.revision,
    reminderId: input.reminder_id,
    dueAt: input.due_at,
    lifecycle: input.lifecycle,
    lifecycleAt: input.lifecycle_at,
    payloadFormat: input.payload_format,
    payload: input.opaque_payload,
    claimId: null,
    claimUntil: null,
    endedAt: input.lifecycle === 'scheduled' ? null : context.clock.now(),
  };
}

/** Runs inside a transaction. The same row again changes nothing. */
function put(context: RelayContext, next: ReminderRow, claimId?: string): Result<ReminderRow, Refusal> {
  const { reminders } = context.store;
  const known = reminders.reminder(next.ownerSlug, next.occurrenceId);
  if (!known) {
    if (reminders.count(next.ownerSlug) >= context.limits.remindersPerAgent) {
      return refuseRequest(
        'QUOTA_EXCEEDED',
        say('relay.tooManyReminders', { remindersPerAgent: context.limits.remindersPerAgent }),
      );
    }
    reminders.save(next);
    return ok(next);
  }
  const isSame =
    known.reminderId === next.reminderId && known.dueAt === next.dueAt && known.payload === next.payload;
  if (!isSame || next.revision < known.revision) return conflict();
  if (next.revision === known.revision) {
    const repeats = known.lifecycle === next.lifecycle && known.lifecycleAt === next.lifecycleAt;
    return repeats ? ok(known) : conflict();
  }
  if (isClaimed(known, context.clock.now(), claimId)) return tooLate();
  reminders.save(next);
  return ok(next);
}

export function listReminders(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const limit = Math.max(1, wholeNumberParam(request.query, 'limit', 100, maxPage));
  const rows = context.store.reminders.list(caller.slug, request.query.get('after') ?? '', limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? (page.at(-1)?.occurrenceId ?? null) : null;
  return answer({ occurrences: page.map(view), next_after: last });
}

export async function putReminder(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const id = idSchema.safeParse(request.params.id);
  const body = request.json(rowSchema);
  if (!body.ok) return body;
  if (!id.success) return refuseRequest('InvalidInput', say('relay.occurrenceMalformed'));
  const row = rowOf(context, caller.slug, id.data, body.value);
  const done = await context.queue.run(() => put(context, row, body.value.delivery_claim_id));
  return done.ok ? answer(view(done.value)) : done;
}

/** The same claim again renews its lease. */
export async function claimReminder(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(claimSchema);
  if (!body.ok) return body;
  const { reminders } = context.store;
  const now = context.clock.now();
  const done = await context.queue.run((): Result<{ row: ReminderRow; status: string }, Refusal> => {
    const row = reminders.reminder(caller.slug, request.params.id ?? '');
    if (!row) return notFound('reminder');
    if (row.lifecycle !== 'scheduled') return ok({ row, status: 'terminal' });
    if (row.revision !== body.value.revision) return conflict();
    if (isClaimed(row, now, body.value.claim_id)) return ok({ row, status: 'held' });
    const claimed = {
      ...row,
      claimId: body.value.claim_id,
      claimUntil: now + context.limits.reminderLeaseMs,
    };
    reminders.save(claimed);
    return ok({ row: claimed, status: 'acquired' });
  });
  if (!done.ok) return done;
  const { row, status } = done.value;
  const lease =
    status === 'acquired' ? { lease_expires_at: new Date(row.claimUntil ?? 0).toISOString() } : {};
  const { occurrenceId, revision, lifecycle } = row;
  return answer({ occurrence_id: occurrenceId, revision, lifecycle, status, ...lease });
}

/** Cancels one occurrence and schedules another, both or neither. */
export async function replaceReminder(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(replaceSchema);
  if (!body.ok) return body;
  const { cancelled_at, replacement_occurrence_id, replacement } = body.value;
  if (replacement.lifecycle !== 'scheduled') {
    return refuseRequest('InvalidInput', say('relay.replacementScheduled'));
  }
  const done = await context.queue.run(
    (): Result<{ cancelled: ReminderRow; replacement: ReminderRow }, Refusal> => {
      const known = context.store.reminders.reminder(caller.slug, request.params.id ?? '');
      if (!known) return notFound('reminder');
      const cancelled = put(context, {
        ...known,
        revision: 2,
        lifecycle: 'cancelled',
        lifecycleAt: cancelled_at,
        claimId: null,
        claimUntil: null,
        endedAt: context.clock.now(),
      });
      if (!cancelled.ok) return cancelled;
      const next = put(context, rowOf(context, caller.slug, replacement_occurrence_id, replacement));
      return next.ok ? ok({ cancelled: cancelled.value, replacement: next.value }) : next;
    },
  );
  if (!done.ok) return done;
  return answer({ cancelled: view(done.value.cancelled), replacement: view(done.value.replacement) });
}
