/**
 * What agent.yml says (spec §5), with its defaults: the shape in memory is the shape in the file. Unknown keys are not
 * part of it; whoever saves the file keeps them.
 */
import { z } from 'zod';
import { policyModeSchema, policyRuleSchema } from '../../contract/consent.ts';
import { appError } from '../../contract/errors.ts';
import { channelTriggerSchema, runtimeKindSchema } from '../../contract/model.ts';
import { once } from '../../contract/once.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { arrivalSchema } from '../../contract/work.ts';
import { codePointLength } from '../lib/text.ts';
import type { YamlDocument } from '../lib/yaml-document.ts';
import { thinkingLevels } from '../model-ports.ts';
import { modelSettingFields, priceSchema } from '../models/model-settings.ts';

/** 0.8.1 still writes api.puffo.ai, which has not answered the public since 2026-06-01 (spec §2). */
export const defaultServerUrl = 'https://chat.puffo.ai/relay';

const idPattern = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;

/** Also the folder's name, hence the narrow alphabet; at most 64 characters (spec §5). */
export const isAgentId = (id: string): boolean => id.length <= 64 && idPattern.test(id);

/** `key:` with nothing behind it is null and means the default. */
const orDefault = <T extends z.ZodType>(type: T, fallback: z.output<T>) =>
  type.nullish().transform((value): z.output<T> => value ?? fallback);

const text = (limit: number, fallback = '') =>
  orDefault(
    z
      .string('must be text; put it in quotes')
      .refine((value) => codePointLength(value) <= limit, `must have at most ${limit} characters`),
    fallback,
  );

const flag = (fallback: boolean) => orDefault(z.boolean('must be true or false'), fallback);

/** Old names are read for ever (spec §5). */
const oldKinds: Readonly<Record<string, string>> = { 'chat-only': 'chat-local', sdk: 'sdk-local' };
const kind = () =>
  z.preprocess(
    (value) => (typeof value === 'string' && Object.hasOwn(oldKinds, value) ? oldKinds[value] : value),
    orDefault(
      z.enum(runtimeKindSchema.options, `must be one of ${runtimeKindSchema.options.join(', ')}`),
      'chat-local',
    ),
  );

const serverUrl = () =>
  text(500, defaultServerUrl).refine(
    (value) => value === '' || /^https?:\/\/[^\s/?#]+[^\s?#]*$/.test(value),
    'must be an address that starts with https:// or http://',
  );

/** Goes into paths of the data folder (`keys/<slug>.json`): no separators, no leading dot. */
const slug = () =>
  text(200).refine((value) => /^([a-zA-Z0-9_][\w.@-]*)?$/.test(value), 'is not a Puffo handle');

const names = () => orDefault(z.array(z.string().max(500), 'must be a list of names').max(200), []);
/** Null: no limit. */
const limit = () =>
  z
    .number('must be a number')
    .min(0, 'must not be negative')
    .nullish()
    .transform((value) => value ?? null);

const section = <T extends z.ZodRawShape>(shape: T) =>
  z.preprocess((value) => value ?? {}, z.object(shape, 'must hold keys and values'));

/** Made when the first agent is looked at: a host without any answers sooner. */
export const agentConfigSchema = once(() =>
  z.object({
    state: orDefault(z.enum(['running', 'paused'], 'must be running or paused'), 'running'),
    display_name: text(60),
    avatar_url: text(2000),
    role: text(140),
    role_short: text(32),
    /** Seconds since the epoch. */
    created_at: orDefault(z.number('must be a number of seconds').min(0), 0),
    puffo_core: section({
      server_url: serverUrl(),
      slug: slug(),
      device_id: text(200),
      space_id: text(200),
      operator_slug: text(200),
    }),
    runtime: section({
      kind: kind(),
      provider: text(60),
      model: text(200),
      /** Kennel's own: where an OpenAI-compatible server listens; empty for the provider's own address. */
      base_url: text(500),
      /** Read once, moved into the wrapped store, and blank from then on. */
      api_key: text(4000),
      allowed_tools: orDefault(z.array(z.string().max(500), 'must be a list').max(200), []),
      docker_image: text(300),
      docker_memory_limit: text(20),
      docker_memory_reservation: text(20),
      permission_mode: text(60, 'bypassPermissions'),
      harness: text(60, 'claude-code'),
      max_turns: orDefault(z.number('must be a whole number').int('must be a whole number').min(1), 10),
      /** Kennel's own: how long the model may think before it answers. */
      thinking: orDefault(z.enum(thinkingLevels, `must be one of ${thinkingLevels.join(', ')}`), 'off'),
      /** Kennel's own: facts and limits of its model. */
      ...modelSettingFields(),
      price: priceSchema()
        .nullish()
        .transform((value) => value ?? null),
    }),
    profile: text(500, 'profile.md'),
    memory_dir: text(500, 'memory'),
    workspace_dir: text(500, 'workspace'),
    triggers: section({
      on_mention: flag(true),
      on_dm: flag(true),
      /** Kennel's own: direct messages of people unknown to the operator wait for a yes. */
      hold_first_contact: flag(true),
      channels: orDefault(z.record(z.string().max(100), channelTriggerSchema), {}),
    }),
    /** Kennel's own from here: what the agent may use, on which files, by which rules, for how much. */
    tools: section({ allow: names(), alsoAllow: names(), deny: names(), subagents: names() }),
    bash: section({
      /** Readable beside the workspace; absolute, `~/…` or below the workspace. */
      allowed_roots: names(),
      /** Readable and writable beside the workspace. */
      writable_roots: names(),
      /** Seconds of one command, 1 to 60. */
      timeout_s: orDefault(z.number('must be a number of seconds').min(1).max(60), 15),
      max_output_chars: orDefault(z.number('must be a whole number').int().min(256).max(100_000), 20_000),
    }),
    shell: section({
      /** Lets the full shell run without an OS sandbox, where there is none. */
      unsandboxed: flag(false),
      network: flag(false),
    }),
    policy: section({
      mode: orDefault(z.enum(policyModeSchema.options, 'must be ask, trusted_folders or unattended'), 'ask'),
      rules: orDefault(z.array(policyRuleSchema).max(200), []),
    }),
    budget: section({
      tokens_per_day: limit(),
      tokens_per_month: limit(),
      usd_per_day: limit(),
      usd_per_month: limit(),
    }),
    /** A message that arrives while the agent works: into the running turn, or after it. */
    on_arrival: orDefault(z.enum(arrivalSchema.options, 'must be steer or follow_up'), 'steer'),
    /** Messages that are older when they reach the agent are not answered; 0 for no limit. */
    answer_within_hours: orDefault(z.number('must be a number of hours').min(0), 0),
    /** It says who it is, once, in a channel that it joins by an invitation. */
    introduce: flag(true),
  }),
);
export type AgentConfig = z.output<ReturnType<typeof agentConfigSchema>>;

/** Enough is filled in to connect (spec §5). */
export function isConfigured({ puffo_core: core }: Pick<AgentConfig, 'puffo_core'>): boolean {
  return core.server_url !== '' && core.slug !== '' && core.device_id !== '' && core.space_id !== '';
}

/** `invalid_input` names the key in words and the line in `where`. */
export function parseAgentConfig(document: YamlDocument): Result<AgentConfig> {
  const parsed = agentConfigSchema().safeParse(document.value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const path = (issue?.path ?? []).filter((key) => typeof key !== 'symbol');
  const message = `${path.join('.') || 'The file'} ${issue?.message ?? 'does not fit'}.`;
  return err(appError('invalid_input', message, { where: `line ${document.lineOf(path)}` }));
}

/** A complete agent.yml in the key order of spec §5; Kennel's own keys only where they say something. */
export function agentConfigObject(id: string, config: AgentConfig): Record<string, unknown> {
  const { puffo_core, runtime, triggers, profile, memory_dir, workspace_dir, ...rest } = config;
  const { tools, bash, shell, policy, budget, on_arrival, answer_within_hours, introduce, ...head } = rest;
  const { base_url, thinking, ...others } = runtime;
  const { context_window, max_output_tokens, temperature, native_tools, price, ...plainRuntime } = others;
  const model = { context_window, max_output_tokens, temperature, native_tools, price };
  const set = Object.fromEntries(Object.entries(model).filter(([, value]) => value !== null));
  const knownRuntime = { ...plainRuntime, ...(thinking === 'off' ? {} : { thinking }), ...set };
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
    ...changedSections({ tools, bash, shell, policy, budget, on_arrival, answer_within_hours, introduce }),
  };
}

/** Of Kennel's own sections those that differ from the defaults. */
function changedSections(own: Record<string, unknown>): Record<string, unknown> {
  const defaults: Record<string, unknown> = agentConfigSchema().parse({});
  return Object.fromEntries(
    Object.entries(own).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key])),
  );
}
