/**
 * The method table: every request of a client with its input, output and permitted callers. IPC, the local
 * socket, the loopback WebSocket and tests all dispatch through it.
 */

import { z } from 'zod';
import { agentDetailMethods } from './agent-detail-methods.ts';
import { agentMethods } from './agent-methods.ts';
import { agentToolMethods } from './agent-tool-methods.ts';
import { annotationMethods } from './annotation-methods.ts';
import {
  approvalAnswerSchema,
  approvalKindSchema,
  approvalSchema,
  auditLineSchema,
  grantSchema,
  policyModeSchema,
  policyRuleSchema,
  policyTestSchema,
  receiptSchema,
} from './approvals.ts';
import { bridgeStatusSchema } from './bridge.ts';
import { conversationMethods } from './conversation-methods.ts';
import { desktopMethods } from './desktop-methods.ts';
import { fileMethods, maxFilesPerMessage } from './file-methods.ts';
import { harnessMethods } from './harness-methods.ts';
import { historyMethods } from './history-methods.ts';
import { homeMethods } from './home-methods.ts';
import { hostTextSchema } from './host-text-schema.ts';
import { identityMethods } from './identity-methods.ts';
import { imageMethods } from './image-methods.ts';
import { linkMethods } from './link-methods.ts';
import { lockMethods } from './lock-methods.ts';
import { mcpServerMethods } from './mcp-server-methods.ts';
import { agentRef, done, editVersion, type MethodRow, none, ownerByCli, row } from './method-row.ts';
import { doctorCheckSchema, hostViewSchema, roomsViewSchema, serverRowSchema } from './model.ts';
import { notificationMethods } from './notification-methods.ts';
import { operationMethods } from './operation-methods.ts';
import { peopleMethods } from './people-methods.ts';
import { scheduleMethods } from './schedule-methods.ts';
import { settingsMethods } from './settings-methods.ts';
import { skillMethods } from './skill-methods.ts';
import { snapshotMethods } from './snapshot-methods.ts';
import { spaceMethods } from './space-methods.ts';
import { taskMethods } from './task-methods.ts';
import { transferMethods } from './transfer-methods.ts';
import { undoMethods } from './undo-methods.ts';
import {
  authStatusSchema,
  brakeSchema,
  budgetSchema,
  loginStartSchema,
  memoryNoteSchema,
  memoryVersionSchema,
  unconfirmedLinesSchema,
  usageViewSchema,
} from './work.ts';
import { workMethods } from './work-methods.ts';
import { workflowMethods } from './workflow-methods.ts';

const deviceRef = z.string().regex(/^dev_[A-Za-z0-9_-]{43}$/, 'A device id is dev_ and 43 characters.');

const memoryRef = z.strictObject({
  agent: z.string().min(1).max(200),
  name: z.string().regex(/^[\w-]{1,64}$/, 'is not the name of a note'),
});

export const methods = {
  'host.view': row(
    () => none,
    () => hostViewSchema,
  ),
  'host.stop': row(
    () => z.strictObject({ reason: z.string().max(200).optional() }),
    () => done,
  ),
  'host.doctor': row(
    () => none,
    () => z.object({ checks: z.array(doctorCheckSchema) }),
  ),
  /** Opens a passphrase vault, or creates one on first use. */
  'host.unlock': row(
    () => z.strictObject({ passphrase: z.string().min(1).max(1000) }),
    () => done,
  ),
  /** A new one-time link to the page on loopback; `unavailable` if this host does not serve it. */
  'host.webLink': row(
    () => none,
    () => z.object({ url: z.string() }),
  ),
  /** Locks the page in every browser and invalidates unused links. Agents keep working. */
  'host.lock': row(
    () => none,
    () => z.object({ browsers: z.number() }),
  ),
  /** Opens windows of the app too. Signed-in browsers continue. `wasLocked` is false if the page was not locked. */
  'host.unlockPage': row(
    () => none,
    () => z.object({ wasLocked: z.boolean() }),
    ownerByCli,
  ),
  /** Ends the sessions of all browsers and invalidates unused links. */
  'host.signOutBrowsers': row(
    () => none,
    () => z.object({ browsers: z.number() }),
  ),
  /** Builds the embedded relay, operator, space, guide and checker; idempotent. */
  'setup.tryDemo': row(
    () => none,
    () => z.object({ operator: z.string(), spaceId: z.string(), channelId: z.string() }),
  ),
  /** `note` names what was kept and why; absent if nothing was. */
  'setup.removeDemo': row(
    () => none,
    () => z.object({ note: hostTextSchema.optional() }),
  ),
  /** Signs the operator up at a server with an invite code; refused without keychain and passphrase. */
  'setup.signUp': row(
    () =>
      z.strictObject({
        serverUrl: z.string().max(500),
        inviteCode: z.string().min(1).max(200),
        username: z.string().min(1).max(60),
        displayName: z.string().max(240).optional(),
      }),
    () => z.object({ slug: z.string() }),
  ),
  'config.get': row(
    () => none,
    () =>
      z.object({
        yaml: z.string(),
        path: z.string(),
        /** `stored`, `environment` or `none`, by provider. */
        keys: z.record(z.string(), z.string()),
        defaultProvider: z.string(),
        /** Saved model and address, by provider. */
        providers: z.record(z.string(), z.object({ model: z.string(), baseUrl: z.string() })),
        /** Model of agents without one of their own; `null` if none is set up. */
        inUse: z.object({ provider: z.string(), model: z.string(), scripted: z.boolean() }).nullable(),
        /** Messages per hour of one person that each agent answers. */
        senderMessages: z.number().int(),
        /** Days after which finished tasks and runs are archived; 0 for never. */
        archiveDays: z.number().int(),
        version: editVersion,
      }),
  ),
  /** `conflict` if `version` is not the current one. */
  'config.set': row(
    () =>
      z.strictObject({
        defaultProvider: z.string().max(60).optional(),
        provider: z.string().max(60).optional(),
        model: z.string().max(200).optional(),
        baseUrl: z.string().max(500).optional(),
        apiKey: z.string().max(4000).optional(),
        senderMessages: z.number().int().min(1).max(10_000).optional(),
        archiveDays: z.number().int().min(0).max(3_650).optional(),
        version: editVersion.optional(),
      }),
    () => done,
  ),
  'chat.rooms': row(
    () => none,
    () => roomsViewSchema,
  ),
  /**
   * `to` is a room id, agent id, slug, display name or `#channel`. Durable before it returns. `files` are ids
   * of finished uploads; `text` may be empty only with them.
   */
  'chat.send': row(
    () =>
      z
        .strictObject({
          to: z.string().min(1).max(200),
          text: z.string().max(200_000),
          threadRootId: z.string().max(100).optional(),
          files: z.array(z.string().min(1).max(100)).max(maxFilesPerMessage).default([]),
          /** Fails for a text that looks like a command but would not be carried out. */
          checkCommand: z.boolean().default(false),
        })
        .refine(({ text, files }) => text !== '' || files.length > 0, {
          path: ['text'],
          error: 'is empty, and there is no file',
        }),
    () => z.object({ messageId: z.string(), roomId: z.string() }),
  ),
  'chat.markRead': row(
    () => z.strictObject({ room: z.string().max(200) }),
    () => done,
  ),
  /** The room as stored by the relay. `available` is false if the operator uses another server. */
  'chat.serverView': row(
    () => z.strictObject({ room: z.string().max(200), limit: z.number().int().min(1).max(200).default(50) }),
    () => z.object({ available: z.boolean(), note: hostTextSchema, rows: z.array(serverRowSchema) }),
  ),
  'relay.invite': row(
    () => none,
    () => z.object({ code: z.string(), url: z.string(), validForDays: z.number().int() }),
  ),
  /**
   * Newest first; `before` is an id. `text` matches title, tool, preview, place or reason,
   * case-insensitively.
   */
  'approvals.list': row(
    () =>
      z.strictObject({
        state: z.enum(['waiting', 'decided', 'all']).default('waiting'),
        agent: z.string().max(200).optional(),
        kind: approvalKindSchema.optional(),
        answer: z.enum(['allowed', 'denied', 'expired', 'cancelled']).optional(),
        text: z.string().max(200).optional(),
        before: z.string().max(100).optional(),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    () => z.object({ approvals: z.array(approvalSchema), hasMore: z.boolean() }),
  ),
  /** `id` may be a unique prefix. */
  'approvals.get': row(
    () => z.strictObject({ id: z.string().min(1).max(100) }),
    () => z.object({ approval: approvalSchema, receipt: receiptSchema.nullable() }),
  ),
  /** `digest` is the one that was shown; `conflict` if another answer came first or the digest differs. */
  'approvals.decide': row(
    () =>
      z.strictObject({
        id: z.string().min(1).max(100),
        digest: z.string().min(1).max(100),
        answer: approvalAnswerSchema,
        surface: z.enum(['window', 'terminal', 'tray', 'notification', 'editor']),
      }),
    () => z.object({ approval: approvalSchema, receipt: receiptSchema.nullable() }),
  ),
  'grants.list': row(
    () => z.strictObject({ agent: z.string().max(200).optional() }),
    () => z.object({ grants: z.array(grantSchema) }),
  ),
  /**
   * Allows this agent to reveal a source to the readers of `room` without asking. `what`: workspace, notes,
   * tasks, workflows, settings, chat (the operator's direct messages with it), or a room for its messages.
   * `room` has the forms of `chat.send`.
   */
  'grants.share': row(
    () =>
      z.strictObject({
        agent: z.string().min(1).max(200),
        room: z.string().min(1).max(200),
        what: z.array(z.string().min(1).max(200)).min(1).max(20),
      }),
    () => z.object({ grant: grantSchema }),
  ),
  'grants.revoke': row(
    () => z.strictObject({ id: z.string().min(1).max(100) }),
    () => done,
  ),
  /**
   * The verdicts of `rules` on the recorded calls of the last `days`. With `all` they replace those of
   * daemon.yml; an absent mode means each agent's own, and agents keep their own rules.
   */
  'policy.test': row(
    () =>
      z.strictObject({
        agent: z.string().max(200).optional(),
        all: z.boolean().optional(),
        rules: z.array(policyRuleSchema).max(200),
        mode: policyModeSchema.optional(),
        days: z.number().int().min(1).max(365).default(30),
      }),
    () => policyTestSchema,
  ),
  /** Newest first. */
  'audit.list': row(
    () =>
      z.strictObject({
        agent: z.string().max(200).optional(),
        before: z.number().int().optional(),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    () => z.object({ lines: z.array(auditLineSchema), hasMore: z.boolean() }),
  ),
  'audit.verify': row(
    () => none,
    () => z.object({ ok: z.boolean(), lines: z.number().int(), problem: hostTextSchema }),
  ),
  /** All agents together if `agent` is absent. */
  'usage.get': row(
    () =>
      z.strictObject({
        agent: z.string().max(200).optional(),
        days: z.number().int().min(1).max(366).default(30),
      }),
    () => usageViewSchema,
  ),
  /** The shared budget of daemon.yml if `agent` is absent. `conflict` if the budget is not `before` any more. */
  'usage.setBudget': row(
    () =>
      z.strictObject({
        agent: z.string().max(200).optional(),
        budget: budgetSchema,
        before: budgetSchema.optional(),
      }),
    () => done,
  ),
  'memory.list': row(
    () => agentRef,
    () => z.object({ notes: z.array(memoryNoteSchema), promptBytes: z.number().int() }),
  ),
  'memory.read': row(
    () => memoryRef,
    () =>
      z.object({
        text: z.string(),
        versions: z.array(memoryVersionSchema),
        unconfirmed: unconfirmedLinesSchema.nullable(),
      }),
  ),
  /** `version` is the newest one when the note was loaded; `conflict` if a newer one exists. */
  'memory.write': row(
    () => memoryRef.extend({ text: z.string().max(65_536), version: z.number().int().optional() }),
    () => done,
  ),
  'memory.forget': row(
    () => memoryRef,
    () => done,
  ),
  'memory.restore': row(
    () => memoryRef.extend({ version: z.number().int() }),
    () => done,
  ),
  /** Confirms the lines that wait for it; `version` is the newest one when they were shown. */
  'memory.confirm': row(
    () => memoryRef.extend({ version: z.number().int() }),
    () => done,
  ),
  /** Removes the unconfirmed lines, and the note if it has no others. */
  'memory.dropUnconfirmed': row(
    () => memoryRef.extend({ version: z.number().int() }),
    () => done,
  ),
  'brake.list': row(
    () => none,
    () => z.object({ brakes: z.array(brakeSchema) }),
  ),
  'brake.continue': row(
    () =>
      z.strictObject({ agent: z.string().max(200), room: z.string().max(200), rootId: z.string().max(100) }),
    () => done,
  ),
  'auth.status': row(
    () => none,
    () => z.object({ providers: z.array(authStatusSchema) }),
  ),
  /** `device` uses a code to type on another device, if the provider supports it. */
  'auth.login': row(
    () => z.strictObject({ provider: z.string().max(60), device: z.boolean().default(false) }),
    () => loginStartSchema,
  ),
  /** Waits for the end of a login, at most 60 s per call; call again if `done` is false. */
  'auth.wait': row(
    () => z.strictObject({ loginId: z.string().max(100) }),
    () => z.object({ done: z.boolean(), status: authStatusSchema.nullable() }),
  ),
  /** Clears login and stored key. `note` is a text for the user, or empty. */
  'auth.logout': row(
    () => z.strictObject({ provider: z.string().max(60) }),
    () => z.object({ note: hostTextSchema }),
  ),
  /** A token with which another host may use this host's models; shown once. */
  'proxy.newToken': row(
    () => z.strictObject({ name: z.string().min(1).max(60) }),
    () => z.object({ token: z.string(), url: z.string() }),
  ),
  'proxy.tokens': row(
    () => none,
    () => z.object({ tokens: z.array(z.object({ name: z.string(), createdAt: z.number() })) }),
  ),
  'proxy.revoke': row(
    () => z.strictObject({ name: z.string().max(60) }),
    () => done,
  ),
  /** The local bridge for web clients of version 0.8. */
  'bridge.status': row(
    () => none,
    () => bridgeStatusSchema,
  ),
  /** Lets one device pair within five minutes: the one that sends the code, or only the named `device`. */
  'bridge.openPairing': row(
    () => z.strictObject({ device: deviceRef.optional() }),
    () => z.object({ code: z.string(), until: z.number(), url: z.string() }),
  ),
  /** `slug` is the device's owner, or `null` if none was paired. */
  'bridge.unpair': row(
    () => none,
    () => z.object({ slug: z.string().nullable() }),
  ),
  ...agentMethods,
  ...operationMethods,
  ...annotationMethods,
  ...conversationMethods,
  ...notificationMethods,
  ...peopleMethods,
  ...historyMethods,
  ...agentToolMethods,
  ...mcpServerMethods,
  ...harnessMethods,
  ...imageMethods,
  ...skillMethods,
  ...spaceMethods,
  ...linkMethods,
  ...identityMethods,
  ...homeMethods,
  ...lockMethods,
  ...fileMethods,
  ...desktopMethods,
  ...agentDetailMethods,
  ...transferMethods,
  ...undoMethods,
  ...snapshotMethods,
  ...settingsMethods,
  ...workMethods,
  ...taskMethods,
  ...scheduleMethods,
  ...workflowMethods,
} as const satisfies Record<string, MethodRow>;

export type MethodTable = typeof methods;
export type MethodName = keyof MethodTable;
/** Input of a caller; defaults may be omitted. */
export type MethodInput<M extends MethodName> = z.input<MethodTable[M]['input']>;
/** Input of a handler: parsed, with defaults. */
export type MethodParsed<M extends MethodName> = z.output<MethodTable[M]['input']>;
export type MethodOutput<M extends MethodName> = z.output<MethodTable[M]['output']>;

export const isMethodName = (name: string): name is MethodName => Object.hasOwn(methods, name);
