/** Views that the host shows to its clients; never secrets, never rows as stored. */
import { z } from 'zod';
import { policyModeSchema } from './approvals.ts';
import { appErrorSchema } from './error-schema.ts';
import { hostTextSchema, messageRefSchema } from './host-text-schema.ts';
import { muteSchema } from './mute.ts';
import { notificationSettingsSchema } from './notification-settings.ts';
import { runtimeKindSchema } from './runtime-kinds.ts';
import { inviteSchema } from './space-methods.ts';
import { brakeSchema, spendSchema, toolStepSchema } from './work.ts';

/** idle: green, working: yellow, error: red, offline: white; `needs_you` is an amber ring, local only. */
export const dotSchema = z.enum(['idle', 'working', 'needs_you', 'error', 'offline']);
export type Dot = z.infer<typeof dotSchema>;

/** `unaddressed`: also messages that mention no member, outside threads that belong to someone else. */
export const channelTriggerSchema = z.enum(['all', 'unaddressed', 'mention', 'never']);
export type ChannelTrigger = z.infer<typeof channelTriggerSchema>;

export const triggersSchema = z.object({
  on_mention: z.boolean(),
  on_dm: z.boolean(),
  /** Direct messages from unknown people wait for the operator. */
  hold_first_contact: z.boolean(),
  channels: z.record(z.string(), channelTriggerSchema),
});
export type Triggers = z.infer<typeof triggersSchema>;

/** State of an agent in the supervisor, independent of its dot. */
export const agentLifeSchema = z.enum([
  'starting',
  'running',
  'paused',
  'not_connected', // puffo_core is not filled in
  'backing_off', // failed; a restart is due
  'gave_up', // restart budget used up; waits for the operator
  'stopping',
  'broken', // never had a readable config
]);
export type AgentLife = z.infer<typeof agentLifeSchema>;

export const connectionSchema = z.enum(['none', 'connecting', 'online', 'offline', 'blocked']);
export type Connection = z.infer<typeof connectionSchema>;

export const agentSummarySchema = z.object({
  id: z.string(),
  slug: z.string().nullable(),
  displayName: z.string(),
  avatarUrl: z.string(),
  role: z.string(),
  roleShort: z.string(),
  dot: dotSchema,
  life: agentLifeSchema,
  connection: connectionSchema,
  /** Current activity as text, e.g. "answering in #general"; empty when idle. */
  activity: hostTextSchema,
  /** ms since the epoch of the last change of `activity` or dot. */
  since: z.number(),
  runtimeKind: runtimeKindSchema,
  /** Effective provider and model; `scripted` is always shown as such. */
  provider: z.string(),
  model: z.string(),
  scripted: z.boolean(),
  messageCount: z.number().int(),
  lastEventAt: z.number().nullable(),
  error: appErrorSchema.nullable(),
  /** A config error while the last valid config stays in force. */
  configError: appErrorSchema.nullable(),
  restartAt: z.number().nullable(),
  waiting: z.number().int(),
  spentToday: spendSchema,
});
export type AgentSummary = z.infer<typeof agentSummarySchema>;

/** US dollars per million tokens; an absent cache price equals the input price. */
export const modelPriceSchema = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cacheRead: z.number().min(0).optional(),
  cacheWrite: z.number().min(0).optional(),
});
export type ModelPriceSetting = z.infer<typeof modelPriceSchema>;

export const agentDetailSchema = agentSummarySchema.extend({
  folder: z.string(),
  serverUrl: z.string(),
  deviceId: z.string(),
  spaceId: z.string(),
  operatorSlug: z.string(),
  createdAt: z.number(),
  soul: z.string(),
  profile: z.string(),
  runtime: z.object({
    kind: runtimeKindSchema,
    provider: z.string(),
    model: z.string(),
    baseUrl: z.string(),
    apiKeySet: z.boolean(),
    allowedTools: z.array(z.string()),
    dockerImage: z.string(),
    permissionMode: z.string(),
    harness: z.string(),
    maxTurns: z.number().int(),
  }),
  /** The operator's settings for its model; `null` for unset ones. */
  modelSettings: z.object({
    contextWindow: z.number().int().nullable(),
    maxOutputTokens: z.number().int().nullable(),
    temperature: z.number().nullable(),
    nativeTools: z.boolean().nullable(),
    price: modelPriceSchema.nullable(),
  }),
  triggers: triggersSchema,
  /** Permissions in force: those of all agents, or its own. */
  mode: policyModeSchema,
  /** Versions of the parts that forms edit. */
  versions: z.object({ profile: z.string(), model: z.string(), limits: z.string() }),
  /** Rejected envelopes since the start, by reason. */
  refused: z.record(z.string(), z.number().int()),
});
export type AgentDetail = z.infer<typeof agentDetailSchema>;

export const roomSchema = z.object({
  /** `ch_…` for a channel, `dm:<slug>` for a direct message, `dm:<slug>~<id>` for a further conversation. */
  id: z.string(),
  kind: z.enum(['channel', 'dm']),
  name: z.string(),
  spaceId: z.string().nullable(),
  encrypted: z.boolean(),
  members: z.array(
    z.object({ slug: z.string(), displayName: z.string(), agent: z.boolean(), role: z.string() }),
  ),
  unread: z.number().int(),
  lastMessageAt: z.number().nullable(),
  lastText: z.string(),
  /** Title of a further conversation of a direct message, or of a main one that the operator renamed. */
  conversation: z
    .object({
      /** Chosen by the operator, or the beginning of the first message; empty without either. */
      title: z.string(),
      /** ms since the epoch. */
      startedAt: z.number(),
      archived: z.boolean(),
    })
    .optional(),
});
export type Room = z.infer<typeof roomSchema>;

/** State that an agent reports to the server; `offline` after 120 s without a report. */
export const presenceSchema = z.object({
  state: z.enum(['idle', 'busy', 'error', 'offline']),
  errorText: z.string(),
});
export type Presence = z.infer<typeof presenceSchema>;

/**
 * `verified`: the operator compared the safety number. `changed`: the server offers another identity key, and
 * messages are held. `lost`: the verified key was replaced, so the mark is gone.
 */
export const keyTrustSchema = z.enum(['verified', 'changed', 'lost']);
export type KeyTrust = z.infer<typeof keyTrustSchema>;

export const roomsViewSchema = z.object({
  self: z.string().nullable(),
  connection: connectionSchema,
  spaces: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** The operator's role; empty if the server does not report it. */
      role: z.string(),
      archived: z.boolean(),
    }),
  ),
  rooms: z.record(z.string(), roomSchema),
  /** Agents of the spaces by slug, as the server reports them; empty if it has no such route. */
  presence: z.record(z.string(), presenceSchema),
  invites: z.array(inviteSchema),
  /** Trust in identity keys by slug; without an entry the key was not compared. */
  trust: z.record(z.string(), keyTrustSchema),
  /** Slugs of others' agents that say that they follow a script. */
  scripts: z.array(z.string()),
  /** By id of a room or of a thread's root. */
  mutes: z.record(z.string(), muteSchema),
  /** Unread messages that count, of rooms where some are muted; see `countUnread`. */
  counted: z.record(z.string(), z.number().int()),
});
export type RoomsView = z.infer<typeof roomsViewSchema>;

export const agentMarkSchema = z.object({
  /** `null` for another person's agent; its server reports only working and done, without a reason. */
  agentId: z.string().nullable(),
  slug: z.string(),
  state: z.enum(['queued', 'working', 'done', 'failed', 'silent']),
  /** A code of `reasons.ts`, or a text; empty without a reason. */
  reason: hostTextSchema,
});
export type AgentMark = z.infer<typeof agentMarkSchema>;

export const chatMessageSchema = z.object({
  id: z.string(),
  roomId: z.string(),
  senderSlug: z.string(),
  senderName: z.string(),
  senderAgent: z.boolean(),
  own: z.boolean(),
  text: z.string(),
  sentAt: z.number(),
  threadRootId: z.string().nullable(),
  visible: z.boolean(),
  encrypted: z.boolean(),
  /** An own message is pending until the server accepts it. */
  delivery: z.enum(['pending', 'sent', 'failed', 'received']),
  /** Why it was not sent, or that the server holds it back; `null` without either. */
  deliveryError: hostTextSchema.nullable(),
  attachments: z.array(
    z.object({
      filename: z.string(),
      mimeType: z.string(),
      size: z.number(),
      /** Bytes uploaded while an own file is being sent, else `null`. */
      sent: z.number().nullable(),
    }),
  ),
  marks: z.array(agentMarkSchema),
  /** Tool steps of an own agent before the message. */
  steps: z.array(toolStepSchema),
  /** Id of the question to the operator that this message asks, or `null`. */
  asks: z.string().nullable(),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** A reply that an own agent is writing; local only, replaced by the sealed message. */
export const draftSchema = z.object({
  turnId: z.string(),
  agentId: z.string(),
  slug: z.string(),
  name: z.string(),
  text: z.string(),
  threadRootId: z.string().nullable(),
  startedAt: z.number(),
  /** In order of start. */
  steps: z.array(toolStepSchema),
});
export type LiveDraft = z.infer<typeof draftSchema>;

/** The operator's notes on a message; they stay on this computer. */
export const annotationSchema = z.object({
  reactions: z.array(z.string()),
  /** ms since the epoch, or `null` if it is not pinned. */
  pinnedAt: z.number().nullable(),
  deleted: z.boolean(),
});
export type Annotation = z.infer<typeof annotationSchema>;

export const roomViewSchema = z.object({
  roomId: z.string(),
  messages: z.array(chatMessageSchema),
  hasMore: z.boolean(),
  drafts: z.record(z.string(), draftSchema),
  /** By message id; also of messages that are not in `messages`. */
  annotations: z.record(z.string(), annotationSchema),
});
export type RoomView = z.infer<typeof roomViewSchema>;

export const serverRowSchema = z.object({
  envelopeId: z.string(),
  senderSlug: z.string(),
  sentAt: z.number(),
  bytes: z.number().int(),
  recipients: z.number().int(),
  ciphertext: z.string(),
});
export type ServerRow = z.infer<typeof serverRowSchema>;

/** Subject of a problem that the operator can answer where it is shown. */
export const problemAboutSchema = z.discriminatedUnion('kind', [
  /** A held first contact, or with `changed` a changed key. */
  z.object({ kind: z.literal('person'), slug: z.string(), changed: z.boolean() }),
  /** A crash interrupted this step, and only the operator can tell whether it happened. */
  z.object({
    kind: z.literal('task'),
    task: z.number().int(),
    step: z.number().int(),
    agentId: z.string().nullable(),
  }),
  /** `agentId` is `null` for a budget of all agents. */
  z.object({ kind: z.literal('budget'), agentId: z.string().nullable() }),
  /** A downloaded version that waits for a restart of the app. */
  z.object({ kind: z.literal('update'), version: z.string() }),
]);
export type ProblemAbout = z.infer<typeof problemAboutSchema>;

export const problemSchema = z.object({
  id: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  message: z.string(),
  said: messageRefSchema.optional(),
  hint: z.string().optional(),
  help: messageRefSchema.optional(),
  at: z.number(),
  about: problemAboutSchema.optional(),
});
export type Problem = z.infer<typeof problemSchema>;

export const hostViewSchema = z.object({
  version: z.string(),
  pid: z.number().int(),
  home: z.string(),
  startedAt: z.number(),
  state: z.enum(['starting', 'locked', 'ready', 'stopping']),
  /** True until the user chose a setup; no network access before. */
  firstRun: z.boolean(),
  demo: z.boolean(),
  vault: z.object({
    /** `demo-file`: a random key in a 0600 file, demo only, always shown. */
    kind: z.enum(['keychain', 'passphrase', 'demo-file', 'none']),
    backend: z.string(),
    note: hostTextSchema,
  }),
  relay: z.object({ embedded: z.boolean(), url: z.string().nullable() }),
  operator: z
    .object({
      slug: z.string(),
      displayName: z.string(),
      /** As received from the server; `profile.own` returns the picture. */
      avatarUrl: z.string(),
      serverUrl: z.string(),
      connection: connectionSchema,
    })
    .nullable(),
  agents: z.object({ total: z.number(), working: z.number(), needsYou: z.number(), error: z.number() }),
  /** Length of the operator's queue (`queueItems`). */
  waiting: z.number().int(),
  spentToday: spendSchema,
  brakes: z.array(brakeSchema),
  problems: z.array(problemSchema),
  notifications: notificationSettingsSchema,
});
export type HostView = z.infer<typeof hostViewSchema>;

export const doctorCheckSchema = z.object({
  id: z.string(),
  title: hostTextSchema,
  status: z.enum(['ok', 'warn', 'fail']),
  detail: hostTextSchema,
  hint: hostTextSchema.optional(),
});
export type DoctorCheck = z.infer<typeof doctorCheckSchema>;
