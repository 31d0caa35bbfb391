/**
 * The sections of the suite `puffo-local` that this version supports: texts and rules shared with the
 * official client.
 */
import { z } from 'zod';
import { isAgentId } from '../../src/core/agents/agent-config.ts';
import { identityNote } from '../../src/core/agents/identity-note.ts';
import { priorityOf } from '../../src/core/agents/priority.ts';
import { profileSummary } from '../../src/core/agents/profile.ts';
import { systemPrompt } from '../../src/core/agents/prompt.ts';
import { redactLongMessage } from '../../src/core/agents/redaction.ts';
import { routeReply } from '../../src/core/agents/reply-routing.ts';
import { formatRuntimeStatus, type RuntimeStatus } from '../../src/core/agents/runtime-status.ts';
import { formatUserBlock } from '../../src/core/agents/user-block.ts';
import { stripMultipart } from '../../src/core/puffo/multipart.ts';
import { deriveRoleShort } from '../../src/core/puffo/role.ts';
import { defaultDaemonYaml } from '../../src/services/config/daemon-schema.ts';
import {
  type CaseResult,
  expectSame,
  expectTrue,
  type Section,
  type SlowSection,
  type Suite,
  testCase,
} from './case.ts';
import { bridge } from './local-bridge.ts';
import { cli, exportZipNames } from './local-cli.ts';
import { dataService, sqlite } from './local-data.ts';
import { localRules } from './local-rules.ts';
import { statusReporterCalls } from './local-status.ts';

/** Cases with the same schema, each with a result of its own. */
function list<T>(
  shape: z.ZodType<T>,
  name: (one: T, index: number) => string,
  judge: (one: T) => void,
): Section {
  return (value): readonly CaseResult[] =>
    z
      .array(z.unknown())
      .parse(value)
      .map((raw, index) => {
        const parsed = shape.safeParse(raw);
        if (!parsed.success)
          return { name: `${index}`, why: `cannot be read: ${parsed.error.issues[0]?.message}` };
        return testCase(name(parsed.data, index), () => judge(parsed.data));
      });
}

const byIndex = (_one: unknown, index: number): string => `${index}`;
const quoted = (text: string, index: number): string => `${index} ${JSON.stringify(text).slice(0, 60)}`;

const roleShort = list(
  z.object({ role: z.string(), bridge: z.string().optional(), cli: z.string().optional() }),
  ({ role }, index) => quoted(role, index),
  (one) => {
    expectTrue(one.bridge !== undefined || one.cli !== undefined, 'the case expects nothing');
    const derived = deriveRoleShort(one.role);
    if (one.bridge !== undefined) expectSame(derived, one.bridge, 'bridge');
    if (one.cli !== undefined) expectSame(derived, one.cli, 'cli');
  },
);

const agentId = list(
  z.object({ id: z.string(), valid: z.boolean() }),
  ({ id }, index) => quoted(id, index),
  ({ id, valid }) => expectSame(isAgentId(id), valid, 'valid'),
);

const summary = list(
  z.object({ profile_md: z.string(), summary: z.string() }),
  (one, index) => quoted(one.profile_md, index),
  (one) => expectSame(profileSummary(one.profile_md), one.summary, 'summary'),
);

const priority = list(
  z.object({
    direct: z.boolean().default(false),
    sender_is_bot: z.boolean().default(false),
    system: z.boolean().optional(),
    priority: z.number(),
  }),
  byIndex,
  (one) => {
    const urgency = { direct: one.direct, senderIsBot: one.sender_is_bot, system: one.system ?? false };
    expectSame(priorityOf(urgency), one.priority, 'priority');
  },
);

const mention = z.object({
  username: z.string(),
  is_bot: z.boolean().default(false),
  is_self: z.boolean().default(false),
});

const userBlock = list(
  z.object({
    in: z.object({
      channel_name: z.string(),
      sender: z.string(),
      text: z.string(),
      attachments: z.array(z.string()).nullish(),
      channel_id: z.string().nullish(),
      root_id: z.string().nullish(),
      mentions: z.array(mention).nullish(),
      post_id: z.string().nullish(),
      create_at: z.number().nullish(),
      space_id: z.string().nullish(),
      space_name: z.string().nullish(),
      sender_display_name: z.string().nullish(),
      is_visible_to_human: z.boolean().nullish(),
      sender_is_bot: z.boolean().nullish(),
    }),
    out: z.string(),
  }),
  ({ in: given }, index) => `${index} ${given.post_id ?? ''}`,
  ({ in: given, out }) => {
    const made = formatUserBlock({
      spaceName: given.space_name ?? '',
      spaceId: given.space_id ?? '',
      channelName: given.channel_name,
      channelId: given.channel_id ?? '',
      postId: given.post_id ?? '',
      rootId: given.root_id ?? '',
      createdAt: given.create_at ?? 0,
      senderName: given.sender_display_name ?? '',
      senderSlug: given.sender,
      senderType: given.sender_is_bot ? 'bot' : 'human',
      visible: given.is_visible_to_human ?? true,
      mentions: (given.mentions ?? []).map((one) => ({
        slug: one.username,
        agent: one.is_bot,
        self: one.is_self,
      })),
      attachments: given.attachments ?? [],
      text: given.text,
    });
    expectSame(made, out, 'block');
  },
);

const fallback = list(
  z.object({ parts: z.array(z.string()), joined: z.string(), out: z.string() }),
  byIndex,
  ({ parts, joined, out }) => {
    // Without parts, the answer is a single part.
    const said = parts.length > 0 ? parts : [joined];
    const route = routeReply({ parts: said, messageSent: false, plainModel: false });
    expectSame(route.type === 'reply' ? route.text : '', out, 'text');
  },
);

const persona = { displayName: 'Helper', slug: 'helper-9a7c', role: 'answers' };

const assembly = list(
  z.object({
    shared_primer: z.string(),
    profile: z.string(),
    memory_snapshot: z.string(),
    out: z.string(),
  }),
  byIndex,
  (one) => {
    const parts = { primer: one.shared_primer, profile: one.profile, memory: one.memory_snapshot };
    // The agent's own name follows the primer; the recorded client has no such part.
    const note = identityNote(persona);
    const made = systemPrompt(parts, persona);
    expectTrue(made.includes(note), 'the prompt lacks the name of the agent');
    const without =
      one.shared_primer.trim() === '' ? made.replace(`${note}\n\n`, '') : made.replace(`\n\n${note}`, '');
    expectSame(without, one.out, 'prompt');
  },
);

/**
 * Recorded texts that were too long are stored as their length: `<4001 characters>` means so many copies of
 * the first character of the preview, or of `x`.
 */
function recordedText(text: string, preview: unknown): string {
  const length = /^<(\d+) characters>$/.exec(text)?.[1];
  const [character = 'x'] = typeof preview === 'string' ? preview : 'x';
  return length === undefined ? text : character.repeat(Number(length));
}

const redaction = list(
  z.object({
    in: z.object({
      text: z.string(),
      envelope_id: z.string(),
      sender_slug: z.string(),
      sender_display_name: z.string(),
      max_inline_chars: z.number(),
      segment_chars: z.number(),
    }),
    redacted: z.boolean(),
    fields: z.record(z.string(), z.unknown()).optional(),
    first_token: z.string().optional(),
  }),
  (one, index) => `${index} ${one.in.envelope_id}`,
  (one) => {
    const made = redactLongMessage({
      text: recordedText(one.in.text, one.fields?.preview),
      envelopeId: one.in.envelope_id,
      senderSlug: one.in.sender_slug,
      senderName: one.in.sender_display_name,
      maxInline: one.in.max_inline_chars,
      segmentSize: one.in.segment_chars,
    });
    expectSame(made !== null, one.redacted, 'redacted');
    if (made === null) return;
    const fields: Readonly<Record<string, unknown>> = {
      envelope_id: made.envelopeId,
      total_chars: made.totalChars,
      segments: made.segments,
      sender: made.sender,
      preview: made.preview,
    };
    for (const [name, expected] of Object.entries(one.fields ?? {})) {
      expectSame(fields[name], expected, name);
      expectTrue(made.placeholder.includes(String(expected)), `${name} is missing in the placeholder`);
    }
    if (one.first_token !== undefined) {
      expectTrue(made.placeholder.startsWith(one.first_token), 'the placeholder begins with another token');
    }
  },
);

const multipart = list(z.object({ in_hex: z.string(), out_hex: z.string() }), byIndex, (one) => {
  const stripped = stripMultipart(Uint8Array.from(Buffer.from(one.in_hex, 'hex')));
  expectSame(Buffer.from(stripped).toString('hex'), one.out_hex, 'body');
});

const daemonDefaults: Section = (value) => [
  testCase('text', () => expectSame(defaultDaemonYaml, value, 'daemon.yml')),
];

const statusShape: z.ZodType<RuntimeStatus> = z.object({
  status: z.enum(['running', 'paused', 'error', 'stopped']),
  started_at: z.number(),
  updated_at: z.number(),
  msg_count: z.number(),
  last_event_at: z.number(),
  error: z.string(),
  health: z.enum(['ok', 'auth_failed', 'unknown']),
});

const runtimeJson: Section = (value) => [
  testCase('text', () => {
    const text = z.string().parse(value);
    expectSame(formatRuntimeStatus(statusShape.parse(JSON.parse(text))), text, 'runtime.json');
  }),
];

export const suite: Suite = {
  role_short: roleShort,
  agent_id_valid: agentId,
  profile_summary: summary,
  priority,
  user_block: userBlock,
  assistant_fallback: fallback,
  multipart_strip: multipart,
  claude_md_assembly: assembly,
  long_message_redaction: redaction,
  daemon_yml_defaults: daemonDefaults,
  runtime_json: runtimeJson,
  ...localRules,
  sqlite,
  data_service: dataService,
};

/** Sections that open a listener or a store. */
export const slow: Readonly<Record<string, SlowSection>> = {
  bridge,
  cli,
  export_zip_names: exportZipNames,
  status_reporter_calls: statusReporterCalls,
};
