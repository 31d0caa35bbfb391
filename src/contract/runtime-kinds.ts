/**
 * The kinds of runtimes (spec §7), one row each. Every list of kinds, and every difference between them that
 * does not need the runtime itself, derives from this table.
 */
import { z } from 'zod';

interface RuntimeKindFacts {
  /** Name of the kind in older files of puffo-agent, which stays valid (spec §5). */
  readonly formerName: string | null;
  /** This build has an adapter for it; see `host/fleet/runtimes.ts`. */
  readonly isRunnable: boolean;
  /** Kennel itself calls the model, so any provider fits, and an API error is an event instead of text. */
  readonly callsModel: boolean;
  /** Starts a command line program, the harness. */
  readonly usesHarness: boolean;
  /** Its programs run on this computer without a container, so its MCP servers may use the computer. */
  readonly runsOnHost: boolean;
}

const table = {
  'chat-local': {
    formerName: 'chat-only',
    isRunnable: true,
    callsModel: true,
    usesHarness: false,
    runsOnHost: false,
  },
  'sdk-local': {
    formerName: 'sdk',
    isRunnable: true,
    callsModel: false,
    usesHarness: false,
    runsOnHost: false,
  },
  'cli-local': {
    formerName: null,
    isRunnable: true,
    callsModel: false,
    usesHarness: true,
    runsOnHost: true,
  },
  'cli-docker': {
    formerName: null,
    isRunnable: true,
    callsModel: false,
    usesHarness: true,
    runsOnHost: false,
  },
} as const satisfies Readonly<Record<string, RuntimeKindFacts>>;

export type RuntimeKind = keyof typeof table;

/** Kinds that need an adapter in the registry of runtimes. */
export type RunnableKind = {
  [Kind in RuntimeKind]: (typeof table)[Kind]['isRunnable'] extends true ? Kind : never;
}[RuntimeKind];

export const runtimeKindSchema = z.enum(Object.keys(table) as [RuntimeKind, ...RuntimeKind[]]);
export const runtimeKinds: readonly RuntimeKind[] = runtimeKindSchema.options;
export const defaultRuntimeKind = 'chat-local' satisfies RunnableKind;

export const runtimeKindFacts = (kind: RuntimeKind): RuntimeKindFacts => table[kind];

export const isRunnableKind = (kind: RuntimeKind): kind is RunnableKind => table[kind].isRunnable;

/** Translates a former name; other text stays as it is. */
export const currentKindName = (name: string): string =>
  runtimeKinds.find((kind) => table[kind].formerName === name) ?? name;
