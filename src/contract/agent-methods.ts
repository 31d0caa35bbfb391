/** Methods about agents: profile, model, permissions and lifecycle. */
import { z } from 'zod';
import { policyModeSchema, policyRuleSchema } from './approvals.ts';
import { imageNamePattern } from './container-images.ts';
import { hostTextSchema } from './host-text-schema.ts';
import { avatarSchema } from './identity-methods.ts';
import { agentRef, device, done, editVersion, none, ownerOrDevice, row } from './method-row.ts';
import { agentDetailSchema, agentSummarySchema, channelTriggerSchema, modelPriceSchema } from './model.ts';
import { runtimeKindSchema } from './runtime-kinds.ts';
import { arrivalSchema, toolsConfigSchema } from './work.ts';

/** Display name ≤ 60, role ≤ 140, role_short ≤ 32 code points; avatar ≤ 4 MiB decoded; soul ≤ 256 KiB. */
const profilePatch = z.strictObject({
  agent: z.string().min(1).max(200),
  displayName: z.string().max(240).optional(),
  role: z.string().max(600).optional(),
  roleShort: z.string().max(200).optional(),
  soul: z.string().max(262_144).optional(),
  avatar: avatarSchema.optional(),
  /** `versions.profile` as loaded; `conflict` if the profile was changed since. */
  version: editVersion.optional(),
});

const toolsView = z.object({
  tools: toolsConfigSchema,
  mode: policyModeSchema,
  rules: z.array(policyRuleSchema),
  arrival: arrivalSchema,
  /** False if what runs the agent takes no message during a turn, whatever `arrival` says. */
  canSteer: z.boolean(),
  thinking: z.string(),
  /** Every tool of this build, whether this agent has it, and why not. */
  available: z.array(
    z.object({
      name: z.string(),
      group: z.string(),
      description: z.string(),
      offered: z.boolean(),
      why: hostTextSchema,
    }),
  ),
  roots: z.object({ readable: z.array(z.string()), writable: z.array(z.string()) }),
  /** The folders of `roots`, each once, the workspace first. */
  folders: z.array(
    z.object({
      path: z.string(),
      mayWrite: z.boolean(),
      /** False for the workspace and for folders that the environment or daemon.yml adds. */
      isRemovable: z.boolean(),
    }),
  ),
  version: editVersion,
});

const runtimePatch = z.strictObject({
  agent: z.string().min(1).max(200),
  kind: runtimeKindSchema.optional(),
  provider: z.string().max(60).optional(),
  model: z.string().max(200).optional(),
  baseUrl: z.string().max(500).optional(),
  /** Write-only: stored wrapped and never returned. */
  apiKey: z.string().max(4000).optional(),
  allowedTools: z.array(z.string().max(500)).max(200).optional(),
  /** Empty for the default. */
  dockerImage: z.union([z.literal(''), z.string().max(300).regex(imageNamePattern)]).optional(),
  permissionMode: z.string().max(60).optional(),
  harness: z.string().max(60).optional(),
  maxTurns: z.number().int().optional(),
  onMention: z.boolean().optional(),
  onDm: z.boolean().optional(),
  holdFirstContact: z.boolean().optional(),
  /** `null` removes the channel's rule. */
  channels: z.record(z.string().max(100), channelTriggerSchema.nullable()).optional(),
  /** `versions.model` as loaded; `conflict` if the model was changed since. */
  version: editVersion.optional(),
});

/** `null` restores the provider's or built-in value; an absent field keeps the setting. */
const modelPatch = z.strictObject({
  agent: z.string().min(1).max(200),
  contextWindow: z.number().int().nullable().optional(),
  maxOutputTokens: z.number().int().nullable().optional(),
  temperature: z.number().nullable().optional(),
  nativeTools: z.boolean().nullable().optional(),
  /** US dollars per million tokens. */
  price: modelPriceSchema.nullable().optional(),
  /** `versions.limits` as loaded; `conflict` if limits or price were changed since. */
  version: editVersion.optional(),
});

const created = z.object({
  agent: agentSummarySchema,
  registered: z.boolean(),
  /** Text for the user, e.g. why the agent was not registered. */
  note: hostTextSchema,
});

export const agentMethods = {
  'agents.list': row(
    () => none,
    () => z.object({ agents: z.array(agentSummarySchema) }),
  ),
  'agents.get': row(
    () => agentRef,
    () => agentDetailSchema,
  ),
  'agents.create': row(
    () =>
      profilePatch
        .omit({ agent: true, version: true })
        .extend(runtimePatch.omit({ agent: true, version: true }).shape)
        .extend({
          id: z.string().min(1).max(200),
          profile: z.string().max(262_144).optional(),
          serverUrl: z.string().max(500).optional(),
          register: z.boolean().default(true),
        }),
    () => created,
  ),
  'agents.edit': row(
    () => profilePatch,
    () => z.object({ agent: agentSummarySchema, warning: hostTextSchema }),
    ownerOrDevice,
  ),
  'agents.setRuntime': row(
    () => runtimePatch,
    () => z.object({ agent: agentSummarySchema, warning: hostTextSchema }),
    ownerOrDevice,
  ),
  /** Limits and price of the agent's model; a change of model, provider or address clears them. */
  'agents.setModel': row(
    () => modelPatch,
    () => z.object({ agent: agentSummarySchema }),
  ),
  /** Its avatar as a data URL; empty if none is available now. */
  'agents.picture': row(
    () => agentRef,
    () => z.object({ picture: z.string() }),
  ),
  /**
   * The raw agent.yml for `$EDITOR`. An invalid text is rejected with line and reason, and the file stays
   * unchanged.
   */
  'agents.readConfig': row(
    () => agentRef,
    () => z.object({ yaml: z.string(), path: z.string() }),
  ),
  'agents.writeConfig': row(
    () => agentRef.extend({ yaml: z.string().max(262_144) }),
    () => done,
  ),
  'agents.rename': row(
    () => agentRef.extend({ displayName: z.string().max(240) }),
    () => agentSummarySchema,
  ),
  'agents.pause': row(
    () => agentRef,
    () => agentSummarySchema,
    ownerOrDevice,
  ),
  'agents.resume': row(
    () => agentRef,
    () => agentSummarySchema,
    ownerOrDevice,
  ),
  /** Returns at once; carried out soon after, or by the next start. */
  'agents.request': row(
    () => agentRef.extend({ request: z.enum(['archive', 'restart', 'delete']) }),
    () => done,
    device,
  ),
  'agents.restart': row(
    () => agentRef,
    () => agentSummarySchema,
  ),
  /**
   * The agent leaves its spaces and its identity ends at its server, unless `keepIdentity` preserves it for
   * use elsewhere.
   */
  'agents.archive': row(
    () => agentRef.extend({ keepIdentity: z.boolean().optional() }),
    () => z.object({ path: z.string() }),
  ),
  'agents.delete': row(
    () => agentRef.extend({ keepIdentity: z.boolean().optional() }),
    () => done,
  ),
  /**
   * Aborts the open turn with the id `turn`, or all open turns without it; their messages count as answered
   * with "stopped". `conflict` if none runs.
   */
  'agents.stop': row(
    () => agentRef.extend({ turn: z.string().min(1).max(100).optional() }),
    () => done,
  ),
  'agents.tools': row(
    () => agentRef,
    () => toolsView,
  ),
  'agents.setTools': row(
    () =>
      agentRef.extend({
        tools: toolsConfigSchema.optional(),
        mode: policyModeSchema.optional(),
        rules: z.array(policyRuleSchema).max(200).optional(),
        arrival: arrivalSchema.optional(),
        thinking: z.string().max(20).optional(),
        version: editVersion.optional(),
      }),
    () => done,
  ),
  /** `path` is absolute or starts with `~/`. A folder that the agent already has gets the given access. */
  'agents.addFolder': row(
    () => agentRef.extend({ path: z.string().min(1).max(1000), mayWrite: z.boolean() }),
    () => done,
  ),
  /** `path` as in `agents.tools`. */
  'agents.removeFolder': row(
    () => agentRef.extend({ path: z.string().min(1).max(1000) }),
    () => done,
  ),
  /**
   * Access for a tool to the agent's messages, valid until the host stops. `tcp` uses TCP instead of the
   * socket.
   */
  'agents.dataAccess': row(
    () => agentRef.extend({ tcp: z.boolean().default(false) }),
    () => z.object({ socket: z.string(), url: z.string(), token: z.string() }),
  ),
};
