/** The schema of daemon.yml (spec §5), its defaults, and its initial text. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { policyModeSchema, policyRuleSchema } from '../../contract/approvals.ts';
import { quietSpanSchema } from '../../contract/notification-settings.ts';
import { once } from '../../contract/once.ts';
import { defaultNotifications, weekdays } from '../../contract/quiet-hours.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { flagField, limitField, orDefault, sectionField } from '../../core/lib/config-fields.ts';
import { fieldError } from '../../core/lib/field-error.ts';
import type { YamlDocument } from '../../core/lib/yaml-document.ts';
import { modelSettingFields, priceSchema } from '../../core/models/model-settings.ts';

const text = (fallback: string) => orDefault(z.string('must be text; put it in quotes').max(4_000), fallback);
const number = (fallback: number, min: number, max: number) =>
  orDefault(
    z.number('must be a number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`),
    fallback,
  );
const whole = (fallback: number, min: number, max: number) =>
  orDefault(
    z
      .number('must be a whole number')
      .int('must be a whole number')
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}`),
    fallback,
  );
export const providerSettingsSchema = once(() =>
  sectionField({
    /** Moved into the wrapped store when found, and blanked. */
    api_key: text(''),
    model: text(''),
    /** Kennel's own key: another base URL for this provider. */
    base_url: text(''),
  }),
);
export type ProviderSettings = z.output<ReturnType<typeof providerSettingsSchema>>;

const port = (fallback: number) => whole(fallback, 0, 65_535);

const limits = () =>
  sectionField({
    /** These two limit tasks. */
    tools_per_step: whole(3, 1, 100),
    max_steps: whole(10, 1, 1_000),
    turn_minutes: number(30, 0.1, 1_440),
    command_s: number(30, 1, 3_600),
    /** Working folder of agents with an empty `workspace_dir`; if empty, each agent has its own workspace. */
    working_dir: text('').refine(
      (path) => path === '' || path.startsWith('~/') || isAbsolute(path),
      'must be a whole path, or begin with ~/',
    ),
    /** Turns of agents that answer agents in one thread, before the agent brake asks the operator. */
    agent_turns: whole(8, 1, 1_000),
    /** Messages per hour of one person that an agent answers; the operator has no limit. */
    sender_messages: whole(40, 1, 10_000),
  });

const tasks = () =>
  sectionField({
    /** Tasks running at once; `null` for a default derived from this computer. */
    workers: z
      .number('must be a whole number')
      .int('must be a whole number')
      .min(0)
      .max(64)
      .nullish()
      .transform((value) => value ?? null),
    /** Days after which finished tasks and runs move into the archive; 0 for never. */
    archive_days: whole(0, 0, 3_650),
    /** Tasks running at once per agent id; 1 for other agents. */
    per_agent: orDefault(z.record(z.string().max(64), z.number().int().min(1).max(16)), {}),
  });

const daemonSchema = once(() =>
  z.looseObject({
    default_provider: text('anthropic'),
    skills_dir: text(''),
    reconcile_interval_seconds: number(2, 0.5, 3_600),
    runtime_heartbeat_seconds: number(5, 1, 3_600),
    docker_memory_limit: text('1.5g'),
    docker_memory_reservation: text('500m'),
    max_inline_message_chars: whole(4_000, 1, 1_000_000),
    segment_chars: whole(2_000, 1, 1_000_000),
    anthropic: providerSettingsSchema(),
    openai: providerSettingsSchema(),
    google: providerSettingsSchema(),
    bridge: sectionField({
      enabled: flagField(true),
      bind_host: text('127.0.0.1'),
      port: port(63_387),
      allowed_origins: orDefault(z.array(z.string(), 'must be a list').max(50), [
        'https://chat.puffo.ai',
        'http://localhost:5173',
        'http://127.0.0.1:5173',
      ]),
    }),
    data_service: sectionField({
      enabled: flagField(true),
      bind_host: text('127.0.0.1'),
      port: port(63_386),
    }),
    /**
     * Kennel's own keys start here. Global rules; an agent's own rules come first, but never loosen a
     * deny.
     */
    policy: sectionField({
      /** `null` if each agent uses its own mode. */
      mode: z
        .enum(policyModeSchema.options)
        .nullish()
        .transform((value) => value ?? null),
      rules: orDefault(z.array(policyRuleSchema).max(500), []),
      approval_hours: number(24, 0.01, 720),
    }),
    limits: limits(),
    tasks: tasks(),
    budget: sectionField({
      tokens_per_day: limitField(),
      tokens_per_month: limitField(),
      usd_per_day: limitField(),
      usd_per_month: limitField(),
    }),
    /** Sounds and quiet hours of the window and the desktop app. */
    notifications: sectionField({
      sounds: flagField(defaultNotifications.sounds),
      /** `mon: 22:00-07:00`, by the day on which it starts, in local time. */
      quiet_hours: orDefault(z.partialRecord(z.enum(weekdays), quietSpanSchema), {}),
      quiet_approvals: flagField(defaultNotifications.quietApprovals),
    }),
    /** Keys are `provider/model`; a trailing * matches any rest. Overrides the built-in table. */
    prices: orDefault(z.record(z.string().max(200), priceSchema()), {}),
    /** Keys as for `prices`: window, output limit, temperature, kind of tool calls. */
    models: orDefault(z.record(z.string().max(200), z.strictObject(modelSettingFields())), {}),
    /** Clients registered by the operator, by provider; see core/models/logins.ts. */
    logins: orDefault(
      z.record(
        z.string().max(60),
        sectionField({
          client_id: text(''),
          authorize_url: text(''),
          token_url: text(''),
          device_url: text(''),
          revoke_url: text(''),
          scopes: orDefault(z.array(z.string().max(300)).max(50), []),
        }),
      ),
      {},
    ),
    /** The https URL that `kennel check-update` queries; empty disables it. */
    updates: sectionField({ url: text('') }),
    /** Lets other hosts call models through this one: `POST /api/stream` with a token. */
    stream_proxy: sectionField({
      enabled: flagField(false),
      bind_host: text('127.0.0.1'),
      port: port(63_388),
    }),
  }),
);
export type DaemonConfig = z.output<ReturnType<typeof daemonSchema>>;

/**
 * Any other known provider may have a section of its own name, with the same fields as the three built-in
 * ones.
 */
export function providerSection(config: DaemonConfig, name: string): Result<ProviderSettings> {
  const parsed = providerSettingsSchema().safeParse(Object.hasOwn(config, name) ? config[name] : {});
  if (parsed.success) return ok(parsed.data);
  return err(fieldError(parsed.error, { prefix: [name] }));
}

export function parseDaemonConfig(
  document: YamlDocument,
  providers: readonly string[],
): Result<DaemonConfig> {
  const parsed = daemonSchema().safeParse(document.value);
  if (!parsed.success) return err(fieldError(parsed.error, { document }));
  for (const name of providers) {
    const found = providerSection(parsed.data, name);
    if (!found.ok) return err({ ...found.error, where: `line ${document.lineOf([name])}` });
  }
  return ok(parsed.data);
}

/** Equals the parsed `defaultDaemonYaml` without parsing YAML, because most starts find no file. */
export const defaultDaemonConfig = (): DaemonConfig => daemonSchema().parse({});

export const defaultDaemonYaml = `default_provider: anthropic
skills_dir: ''
reconcile_interval_seconds: 2.0
runtime_heartbeat_seconds: 5.0
docker_memory_limit: 1.5g
docker_memory_reservation: 500m
max_inline_message_chars: 4000
segment_chars: 2000
anthropic:
  api_key: ''
  model: ''
openai:
  api_key: ''
  model: ''
google:
  api_key: ''
  model: ''
bridge:
  enabled: true
  bind_host: 127.0.0.1
  port: 63387
  allowed_origins:
  - https://chat.puffo.ai
  - http://localhost:5173
  - http://127.0.0.1:5173
data_service:
  enabled: true
  bind_host: 127.0.0.1
  port: 63386
`;
