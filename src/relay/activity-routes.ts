/**
 * Agent activity (spec §2.2): runs over messages, heartbeats, status. A heartbeat that changes nothing is
 * refused within ten seconds of the last; one that changes the status or its message always counts, so the
 * limit never drops a short busy period or an error.
 */

import { z } from 'zod';
import { ok, type Result } from '../contract/result.ts';
import { cutCodePoints } from '../core/lib/text.ts';
import { say } from '../language/say.ts';
import { announceStatus } from './announce-status.ts';
import { contactOf } from './contacts.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { notFound, type Refusal, refuseRequest } from './refusal.ts';
import { statusView } from './status-view.ts';
import { agentStatuses, type MailRow, type ProcessingRunRow, type StatusRow } from './store-port.ts';

const errorTextLimit = 1024;
const errorText = z
  .string()
  .max(100_000)
  .nullish()
  .transform((text) => (text ? cutCodePoints(text, errorTextLimit) : null));
const runId = z.string().min(1).max(200);
const startSchema = z.object({ run_id: runId });
const endSchema = z.object({ run_id: runId, succeeded: z.boolean(), error_text: errorText });
const batchSchema = z.object({
  runs: z
    .array(endSchema.extend({ message_id: z.string().min(1).max(200) }))
    .min(1)
    .max(500),
});
const heartbeatSchema = z.object({
  status: z.enum(agentStatuses),
  current_message_id: z.string().max(200).nullish(),
  error_text: errorText,
});

/** The audience for runs over the message, if the caller is a member of its room; others learn nothing. */
function roomOf(context: RelayContext, messageId: string, slug: string): Result<readonly string[], Refusal> {
  const message = context.store.mail.message(messageId);
  if (!message) return notFound('message');
  const slugs = peopleOf(context, message);
  if (!slugs.includes(slug)) return notFound('message');
  return ok(slugs.filter((each) => each === slug || !isKeptFrom(context, message, each)));
}

/** Held or blocked messages must not reach the recipient through activity either. */
function isKeptFrom(context: RelayContext, { kind, senderSlug }: MailRow, slug: string): boolean {
  return kind === 'dm' && slug !== senderSlug && contactOf(context.store, senderSlug, slug) !== 'open';
}

function peopleOf(context: RelayContext, message: MailRow): readonly string[] {
  if (message.kind === 'dm') return [message.senderSlug, message.recipientSlug ?? ''];
  return message.channelId === null
    ? []
    : context.store.spaces.channelMembers(message.channelId).map(({ slug }) => slug);
}

const runView = (run: ProcessingRunRow) => ({
  run_id: run.runId,
  agent_slug: run.agentSlug,
  started_at: run.startedAt,
  ended_at: run.endedAt,
  succeeded: run.succeeded,
  error_text: run.errorText,
});

function announceRun(context: RelayContext, run: ProcessingRunRow, audience: readonly string[]): void {
  context.hub.sendToSlugs(audience, { type: 'processing', message_id: run.messageId, ...runView(run) });
}

function statusAfter(context: RelayContext, slug: string, change: Partial<StatusRow>): StatusRow {
  return {
    slug,
    status: 'idle',
    currentMessageId: null,
    errorText: null,
    lastHeartbeatAt: context.clock.now(),
    ...change,
  };
}

export async function startProcessing(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(startSchema);
  if (!body.ok) return body;
  const messageId = request.params.id ?? '';
  const room = roomOf(context, messageId, caller.slug);
  if (!room.ok) return room;
  const { activity } = context.store;
  let before: StatusRow | null = null;
  const done = await context.queue.run((): Result<ProcessingRunRow | null, Refusal> => {
    before = activity.status(caller.slug);
    const known = activity.run(body.value.run_id);
    if (known) {
      return known.agentSlug === caller.slug && known.messageId === messageId
        ? ok(null)
        : refuseRequest('CONFLICT', say('relay.runIdTaken'));
    }
    const run: ProcessingRunRow = {
      runId: body.value.run_id,
      messageId,
      agentSlug: caller.slug,
      startedAt: context.clock.now(),
      endedAt: null,
      succeeded: null,
      errorText: null,
    };
    activity.saveRun(run);
    activity.saveStatus(statusAfter(context, caller.slug, { status: 'busy', currentMessageId: messageId }));
    return ok(run);
  });
  if (!done.ok) return done;
  if (done.value) {
    announceRun(context, done.value, room.value);
    announceStatus(context, caller.slug, before);
  }
  return answer({ ok: true });
}

type End = z.infer<typeof endSchema> & { readonly message_id: string };

/** A run that was never started counts as started and ended now. */
function endRun(context: RelayContext, caller: Caller, end: End): Result<ProcessingRunRow, Refusal> {
  const { activity } = context.store;
  const known = activity.run(end.run_id);
  if (known && (known.agentSlug !== caller.slug || known.messageId !== end.message_id)) {
    return refuseRequest('CONFLICT', say('relay.runIdTaken'));
  }
  if (known && known.endedAt !== null) return ok(known);
  const now = context.clock.now();
  const run: ProcessingRunRow = {
    runId: end.run_id,
    messageId: end.message_id,
    agentSlug: caller.slug,
    startedAt: known?.startedAt ?? now,
    endedAt: now,
    succeeded: end.succeeded,
    errorText: end.succeeded ? null : end.error_text,
  };
  activity.saveRun(run);
  return ok(run);
}

async function endRuns(context: RelayContext, caller: Caller, ends: readonly End[]): Promise<RouteOutcome> {
  const rooms = new Map<string, readonly string[]>();
  for (const { message_id: messageId } of ends) {
    const room = roomOf(context, messageId, caller.slug);
    if (!room.ok) return room;
    rooms.set(messageId, room.value);
  }
  let before: StatusRow | null = null;
  const done = await context.queue.run((): Result<readonly ProcessingRunRow[], Refusal> => {
    before = context.store.activity.status(caller.slug);
    const rows: ProcessingRunRow[] = [];
    for (const end of ends) {
      const row = endRun(context, caller, end);
      if (!row.ok) return row;
      rows.push(row.value);
    }
    const failed = rows.find((row) => row.succeeded === false);
    context.store.activity.saveStatus(
      statusAfter(context, caller.slug, failed ? { status: 'error', errorText: failed.errorText } : {}),
    );
    return ok(rows);
  });
  if (!done.ok) return done;
  for (const run of done.value) announceRun(context, run, rooms.get(run.messageId) ?? []);
  announceStatus(context, caller.slug, before);
  return answer({ ok: true });
}

export async function endProcessing(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(endSchema);
  if (!body.ok) return body;
  return await endRuns(context, caller, [{ ...body.value, message_id: request.params.id ?? '' }]);
}

export async function endProcessingBatch(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(batchSchema);
  return body.ok ? await endRuns(context, caller, body.value.runs) : body;
}

export function listRuns(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const messageId = request.params.id ?? '';
  const room = roomOf(context, messageId, caller.slug);
  if (!room.ok) return room;
  return answer({ runs: context.store.activity.runs(messageId).map(runView) });
}

export async function heartbeat(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(heartbeatSchema);
  if (!body.ok) return body;
  const next = statusAfter(context, caller.slug, {
    status: body.value.status,
    currentMessageId: body.value.current_message_id ?? null,
    errorText: body.value.error_text,
  });
  const { activity } = context.store;
  let before: StatusRow | null = null;
  const done = await context.queue.run(() => {
    const last = activity.status(caller.slug);
    before = last;
    const soon = last !== null && next.lastHeartbeatAt - last.lastHeartbeatAt < context.limits.heartbeatMs;
    const news =
      last === null ||
      last.status !== next.status ||
      last.currentMessageId !== next.currentMessageId ||
      last.errorText !== next.errorText;
    if (soon && !news) return refuseRequest('RATE_LIMITED', say('relay.heartbeatTooSoon'));
    activity.saveStatus(next);
    return ok(null);
  });
  if (!done.ok) return done;
  announceStatus(context, caller.slug, before);
  return answer({ ok: true });
}

export function readStatus(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller | null,
): RouteOutcome {
  const view = statusView(context, request.params.slug ?? '', caller?.slug ?? null);
  return view ? answer({ ...view }) : notFound('agent');
}

const slugsSchema = z.object({ slugs: z.array(z.string().max(200)).max(500) });

export function readStatuses(context: RelayContext, request: RelayRequest, caller: Caller): RouteOutcome {
  const body = request.json(slugsSchema);
  if (!body.ok) return body;
  const views = [...new Set(body.value.slugs)].map((slug) => statusView(context, slug, caller.slug));
  return answer({ statuses: views.filter((view) => view !== null) });
}
