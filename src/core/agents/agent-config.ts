/**
 * Schema of agent.yml with defaults (spec §5): the shape in memory is the shape in the file. Unknown keys are
 * not parsed; writers must preserve them.
 */
import { z } from 'zod';
import { policyModeSchema, policyRuleSchema } from '../../contract/approvals.ts';
import { imageNamePattern } from '../../contract/container-images.ts';
import { isRecord } from '../../contract/is-record.ts';
import { channelTriggerSchema } from '../../contract/model.ts';
import { once } from '../../contract/once.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { currentKindName, defaultRuntimeKind, runtimeKindSchema } from '../../contract/runtime-kinds.ts';
import { arrivalSchema } from '../../contract/work.ts';
import { flagField, limitField, orDefault, sectionField } from '../lib/config-fields.ts';
import { fieldError } from '../lib/field-error.ts';
import { codePointLength } from '../lib/text.ts';
import type { YamlDocument } from '../lib/yaml-document.ts';
import { thinkingLevels } from '../models/model-ports.ts';
import { modelSettingFields, priceSchema } from '../models/model-settings.ts';
import { yamlServerSchema } from './mcp-servers.ts';

/** 0.8.1 still writes api.puffo.ai, which has not answered public requests since 2026-06-01 (spec §2). */
export const defaultServerUrl = 'https://chat.puffo.ai/relay';

const idPattern = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;

/** The id is also a folder name, hence the narrow alphabet; at most 64 characters (spec §5). */
export const isAgentId = (id: string): boolean => id.length <= 64 && idPattern.test(id);

const text = (limit: number, fallback = '') =>
  orDefault(
    z
      .string('must be text; put it in quotes')
      .refine((value) => codePointLength(value) <= limit, `must have at most ${limit} characters`),
    fallback,
  );

const kind = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? currentKindName(value) : value),
    orDefault(
      z.enum(runtimeKindSchema.options, `must be one of ${runtimeKindSchema.options.join(', ')}`),
      defaultRuntimeKind,
    ),
  );

const serverUrl = () =>
  text(500, defaultServerUrl).refine(
    (value) => value === '' || /^https?:\/\/[^\s/?#]+[^\s?#]*$/.test(value),
    'must be an address that starts with https:// or http://',
  );

/** Used in paths of the data folder (`keys/<slug>.json`): no separators, no leading dot. */
const slug = () =>
  text(200).refine((value) => /^([a-zA-Z0-9_][\w.@-]*)?$/.test(value), 'is not a Puffo handle');

const names = () => orDefault(z.array(z.string().max(500), 'must be a list of names').max(200), []);
/** A list, or `{ tools: [...] }`. */
const subagentNames = () =>
  z.preprocess((value) => (isRecord(value) && 'tools' in value ? value.tools : value), names());
/** Created on first use: a host without agents starts faster. */
export const agentConfigSchema = once(() =>
  z.object({
    state: orDefault(z.enum(['running', 'paused'], 'must be running or paused'), 'running'),
    display_name: text(60),
    avatar_url: text(2000),
    role: text(140),
    role_short: text(32),
    /** Seconds since the epoch. */
    created_at: orDefault(z.number('must be a number of seconds').min(0), 0),
    puffo_core: sectionField({
      server_url: serverUrl(),
      slug: slug(),
      device_id: text(200),
      space_id: text(200),
      operator_slug: text(200),
    }),
    runtime: sectionField({
      kind: kind(),
      provider: text(60),
      model: text(200),
      /** Kennel's own: address of an OpenAI-compatible server; empty for the provider's own address. */
      base_url: text(500),
      /** Read once, moved into the encrypted store, and blank from then on. */
      api_key: text(4000),
      allowed_tools: orDefault(z.array(z.string().max(500), 'must be a list').max(200), []),
      docker_image: text(300).refine(
        (value) => value === '' || imageNamePattern.test(value),
        'is not the name of an image',
      ),
      docker_memory_limit: text(20),
      docker_memory_reservation: text(20),
      permission_mode: text(60, 'bypassPermissions'),
      harness: text(60, 'claude-code'),
      /** Kennel's own: program and arguments for the harness `custom`. */
      command: names(),
      max_turns: orDefault(z.number('must be a whole number').int('must be a whole number').min(1), 10),
      /** Kennel's own: thinking level of the model. */
      thinking: orDefault(z.enum(thinkingLevels, `must be one of ${thinkingLevels.join(', ')}`), 'off'),
      /** Kennel's own: facts and limits of the model. */
      ...modelSettingFields(),
      price: priceSchema()
        .nullish()
        .transform((value) => value ?? null),
    }),
    profile: text(500, 'profile.md'),
    memory_dir: text(500, 'memory'),
    workspace_dir: text(500, 'workspace'),
    triggers: sectionField({
      on_mention: flagField(true),
      on_dm: flagField(true),
      /** Kennel's own: direct messages of unknown people wait for the operator's approval. */
      hold_first_contact: flagField(true),
      channels: orDefault(z.record(z.string().max(100), channelTriggerSchema), {}),
    }),
    /** Kennel's own from here on: tools, file access, policy and budget. */
    tools: sectionField({ allow: names(), alsoAllow: names(), deny: names(), subagents: subagentNames() }),
    bash: sectionField({
      /** Folders readable beside the workspace; absolute, `~/…` or below the workspace. */
      allowed_roots: names(),
      /** Folders readable and writable beside the workspace. */
      writable_roots: names(),
      /** Seconds per command, 1 to 60. */
      timeout_s: orDefault(z.number('must be a number of seconds').min(1).max(60), 15),
      max_output_chars: orDefault(z.number('must be a whole number').int().min(256).max(100_000), 20_000),
    }),
    shell: sectionField({
      /** Lets the full shell run without an OS sandbox if the system has none. */
      unsandboxed: flagField(false),
      network: flagField(false),
      /** Hosts (`*.example.com` for a domain) that a program in a container reaches over TLS without `network`. */
      allowed_hosts: names(),
      /** Lets the sandboxed shell use files that also have a name (hard link) outside of its folders. */
      linked_files: flagField(false),
    }),
    tasks: sectionField({
      /** Each task works in a git worktree of its own if the workspace is a repository. */
      worktree: flagField(false),
    }),
    policy: sectionField({
      mode: orDefault(z.enum(policyModeSchema.options, 'must be ask, trusted_folders or unattended'), 'ask'),
      rules: orDefault(z.array(policyRuleSchema).max(200), []),
    }),
    budget: sectionField({
      tokens_per_day: limitField(),
      tokens_per_month: limitField(),
      usd_per_day: limitField(),
      usd_per_month: limitField(),
    }),
    /** Whether a message that arrives during a turn joins it or starts the next one. */
    on_arrival: orDefault(z.enum(arrivalSchema.options, 'must be steer or follow_up'), 'steer'),
    /** Older messages are not answered when they reach the agent; 0 for no limit. */
    answer_within_hours: orDefault(z.number('must be a number of hours').min(0), 0),
    /** MCP servers of the agent, beside those of `.mcp.json` in its workspace. */
    mcp_servers: orDefault(z.array(yamlServerSchema, 'must be a list of servers').max(50), []),
    /** Fenced blocks such as `bash:execute` in its answers run as calls. */
    directives: flagField(false),
    /** Introduces itself once in each channel that it joins by an invitation. */
    introduce: flagField(true),
  }),
);
export type AgentConfig = z.output<ReturnType<typeof agentConfigSchema>>;

/** Whether the settings suffice to connect (spec §5). */
export function isConfigured({ puffo_core: core }: Pick<AgentConfig, 'puffo_core'>): boolean {
  return core.server_url !== '' && core.slug !== '' && core.device_id !== '' && core.space_id !== '';
}

/** `invalid_input` names the key in the message and the line in `where`. */
export function parseAgentConfig(document: YamlDocument): Result<AgentConfig> {
  const parsed = agentConfigSchema().safeParse(document.value);
  if (parsed.success) return ok(parsed.data);
  return err(fieldError(parsed.error, { document }));
}

/**
 * Complete agent.yml in the key order of spec §5; Kennel's own keys only if they differ from the defaults.
 */
export function agentConfigObject(id: string, config: AgentConfig): Record<string, unknown> {
  const { puffo_core, runtime, triggers, profile, memory_dir, workspace_dir, ...rest } = config;
  const {
    tools,
    bash,
    shell,
    tasks,
    policy,
    budget,
    on_arrival,
    answer_within_hours,
    mcp_servers,
    directives,
    introduce,
    ...head
  } = rest;
  const { base_url, thinking, command, ...others } = runtime;
  const { context_window, max_output_tokens, temperature, native_tools, price, ...plainRuntime } = others;
  const model = { context_window, max_output_tokens, temperature, native_tools, price };
  const set = Object.fromEntries(Object.entries(model).filter(([, value]) => value !== null));
  const own = command.length === 0 ? {} : { command };
  const knownRuntime = { ...plainRuntime, ...own, ...(thinking === 'off' ? {} : { thinking }), ...set };
  const { channels, hold_first_contact, ...plainTriggers } = triggers;
  const knownTriggers = hold_first_contact ? plainTriggers : { ...plainTriggers, hold_first_contact };
  return {
    id,
    ...head,
    puffo_core,
    runtime: base_url === '' ? knownRuntime : { ...knownRuntime, base_url },
    profile,
    memory_dir,
    workspace_dir,
    triggers: Object.keys(channels).length === 0 ? knownTriggers : { ...knownTriggers, channels },
    ...changedSections({
      tools,
      bash,
      shell,
      tasks,
      policy,
      budget,
      on_arrival,
      answer_within_hours,
      mcp_servers,
      directives,
      introduce,
    }),
  };
}

/** Kennel's own sections that differ from the defaults. */
function changedSections(own: Record<string, unknown>): Record<string, unknown> {
  const defaults: Record<string, unknown> = agentConfigSchema().parse({});
  return Object.fromEntries(
    Object.entries(own).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key])),
  );
}
