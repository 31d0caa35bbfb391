/**
 * Reads messages of the Agent Client Protocol. Programs differ in what they send, so unknown members and kinds
 * are skipped; what a decision depends on is checked.
 */
import { z } from 'zod';
import { once } from '../../../contract/once.ts';
import type { PlanEntry } from '../../../contract/work.ts';
import { planEntry } from '../step-parts.ts';

type Json = Readonly<Record<string, unknown>>;

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);

/** A tool call as far as the program has told of it; absent members are unknown. */
export interface AcpCall {
  readonly id: string;
  readonly title?: string;
  readonly kind?: string;
  readonly status?: string;
  readonly input?: Json;
  readonly diffs?: readonly AcpDiff[];
  readonly texts?: readonly string[];
  readonly paths?: readonly string[];
  readonly output?: string;
}

export interface AcpDiff {
  readonly path: string;
  /** `null` for a new file. */
  readonly oldText: string | null;
  readonly newText: string;
}

export type AcpUpdate =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: AcpCall }
  | { readonly type: 'mode'; readonly modeId: string }
  /** US dollars of the session so far; `null` if not reported. */
  | {
      readonly type: 'usage';
      readonly usd: number | null;
      /** Tokens; `null` if not reported. */
      readonly used: number | null;
      readonly size: number | null;
    }
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  /** Commands and news of newer versions: a sign of life. */
  | { readonly type: 'other' };

export interface AcpPermission {
  readonly call: AcpCall;
  readonly options: readonly { readonly optionId: string; readonly kind: string }[];
}

const record = z.record(z.string(), z.unknown());
const textBlock = z.object({ type: z.literal('text'), text: z.string() });

const schemas = once(() => ({
  chunk: z.object({ content: textBlock }),
  call: z.object({
    toolCallId: z.string().min(1).max(500),
    title: lenient(z.string()),
    kind: lenient(z.string()),
    status: lenient(z.string()),
    rawInput: lenient(record),
    rawOutput: z.unknown().optional(),
    content: lenient(z.array(z.unknown())),
    locations: lenient(z.array(z.object({ path: z.string() }))),
    _meta: lenient(z.object({ terminal_output: z.object({ data: z.string() }) })),
  }),
  content: z.object({ type: z.literal('content'), content: textBlock }),
  diff: z.object({
    type: z.literal('diff'),
    path: z.string(),
    oldText: z.string().nullish(),
    newText: z.string(),
  }),
  plan: z.object({ entries: z.array(z.object({ content: z.string(), status: z.string() })) }),
  mode: z.object({ currentModeId: z.string() }),
  usage: z.object({
    used: lenient(z.number().min(0)),
    size: lenient(z.number().min(1)),
    cost: lenient(z.object({ amount: z.number().min(0), currency: z.literal('USD') })),
  }),
  update: z.object({ update: z.looseObject({ sessionUpdate: z.string() }) }),
  permission: z.object({
    toolCall: z.unknown(),
    options: z.array(z.object({ optionId: z.string(), kind: z.string() })),
  }),
  output: z.union([
    z.string(),
    z.object({ output: z.string() }).transform(({ output }) => output),
    z.object({ error: z.string() }).transform(({ error }) => error),
  ]),
  initialized: z.object({
    protocolVersion: z.number(),
    agentCapabilities: lenient(
      z.object({
        loadSession: lenient(z.boolean()),
        mcpCapabilities: lenient(z.object({ http: lenient(z.boolean()) })),
      }),
    ),
  }),
  session: z.object({ sessionId: z.string().min(1).max(500) }),
  modes: z.object({
    modes: z.object({
      currentModeId: z.string(),
      availableModes: z.array(z.object({ id: z.string() })),
    }),
  }),
  prompted: z.object({ stopReason: z.string() }),
  failure: z.object({
    _meta: z.object({
      jetbrains: z.object({
        air: z.object({ sessionFailure: z.object({ category: z.string(), title: z.string() }) }),
      }),
    }),
  }),
}));

export function readUpdate(params: unknown): AcpUpdate {
  const known = schemas();
  const parsed = known.update.safeParse(params);
  if (!parsed.success) return { type: 'other' };
  const { update } = parsed.data;
  switch (update.sessionUpdate) {
    case 'agent_message_chunk': {
      const chunk = known.chunk.safeParse(update);
      return chunk.success ? { type: 'text', text: chunk.data.content.text } : { type: 'other' };
    }
    case 'agent_thought_chunk': {
      const chunk = known.chunk.safeParse(update);
      return chunk.success ? { type: 'thought', text: chunk.data.content.text } : { type: 'other' };
    }
    case 'plan': {
      const plan = known.plan.safeParse(update);
      if (!plan.success) return { type: 'other' };
      return {
        type: 'plan',
        entries: plan.data.entries.map(({ content, status }) => planEntry(content, status)),
      };
    }
    case 'tool_call':
    case 'tool_call_update': {
      const call = readCall(update);
      return call ? { type: 'call', call } : { type: 'other' };
    }
    case 'current_mode_update': {
      const mode = known.mode.safeParse(update);
      return mode.success ? { type: 'mode', modeId: mode.data.currentModeId } : { type: 'other' };
    }
    case 'usage_update': {
      const usage = known.usage.safeParse(update);
      const { cost, used = null, size = null } = usage.data ?? {};
      return { type: 'usage', usd: cost?.amount ?? null, used: used ?? null, size: size ?? null };
    }
    default:
      return { type: 'other' };
  }
}

function readCall(value: unknown): AcpCall | null {
  const known = schemas();
  const parsed = known.call.safeParse(value);
  if (!parsed.success) return null;
  const { toolCallId: id, title, kind, status, rawInput, rawOutput, content, locations, _meta } = parsed.data;
  const output = known.output.safeParse(rawOutput).data ?? _meta?.terminal_output.data;
  return {
    id,
    ...(title ? { title } : {}),
    ...(kind ? { kind } : {}),
    ...(status ? { status } : {}),
    // Some programs send an empty object until they know the arguments.
    ...(rawInput && Object.keys(rawInput).length > 0 ? { input: rawInput } : {}),
    ...(content ? contentOf(content) : {}),
    ...(locations && locations.length > 0 ? { paths: locations.map(({ path }) => path) } : {}),
    ...(output === undefined ? {} : { output }),
  };
}

function contentOf(content: readonly unknown[]): Pick<AcpCall, 'diffs' | 'texts'> {
  const known = schemas();
  const diffs = content.flatMap((one): AcpDiff[] => {
    const { data } = known.diff.safeParse(one);
    return data ? [{ path: data.path, oldText: data.oldText ?? null, newText: data.newText }] : [];
  });
  const texts = content.flatMap((one) => known.content.safeParse(one).data?.content.text ?? []);
  return { ...(diffs.length > 0 ? { diffs } : {}), ...(texts.length > 0 ? { texts } : {}) };
}

/** `null` if the request cannot be read. */
export function readPermission(params: unknown): AcpPermission | null {
  const parsed = schemas().permission.safeParse(params);
  const call = parsed.success ? readCall(parsed.data.toolCall) : null;
  return parsed.success && call ? { call, options: parsed.data.options } : null;
}

/** `null` if the program does not speak version 1. */
export function readInitialized(
  value: unknown,
): { readonly canLoad: boolean; readonly takesHttp: boolean } | null {
  const { data } = schemas().initialized.safeParse(value);
  if (data?.protocolVersion !== 1) return null;
  const { loadSession, mcpCapabilities } = data.agentCapabilities ?? {};
  return { canLoad: loadSession === true, takesHttp: mcpCapabilities?.http === true };
}

export const readSessionId = (value: unknown): string | null =>
  schemas().session.safeParse(value).data?.sessionId ?? null;

export interface AcpModes {
  readonly current: string;
  readonly available: readonly string[];
}

/** `null` if the program has no modes. */
export function readModes(value: unknown): AcpModes | null {
  const { data } = schemas().modes.safeParse(value);
  return data
    ? { current: data.modes.currentModeId, available: data.modes.availableModes.map(({ id }) => id) }
    : null;
}

export const readStopReason = (value: unknown): string | null =>
  schemas().prompted.safeParse(value).data?.stopReason ?? null;

/**
 * Extensions of the protocol that Kennel understands: notices, which Codex would otherwise say in the name of the
 * model, and failures of a turn that ends like an answered one.
 */
export const extraCapabilities = {
  session: { notices: {} },
  _meta: { jetbrains: { air: { version: 1, capabilities: ['sessionFailure'] } } },
} as const;

export interface AcpFailure {
  readonly category: string;
  readonly title: string;
}

/** `null` if the turn was answered. */
export const readFailure = (value: unknown): AcpFailure | null =>
  schemas().failure.safeParse(value).data?._meta.jetbrains.air.sessionFailure ?? null;
