/**
 * Valid combinations of runtime kind, provider and harness (spec §7, vectors `runtime_matrix`). Only kinds
 * that start a command line program use the harness; an empty provider or harness means the default.
 */
import { type AppError, appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { canSteer, customHarness, findHarness, harnessFacts, harnessIds } from '../../contract/harnesses.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import {
  isRunnableKind,
  type RuntimeKind,
  runtimeKindFacts,
  runtimeKinds,
} from '../../contract/runtime-kinds.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

export interface RuntimeTriple {
  readonly kind: string;
  readonly provider: string;
  readonly harness: string;
}

/** Values that the empty members default to; the harness stays empty for kinds without one. */
export type EffectiveTriple = Pick<RuntimeTriple, 'provider' | 'harness'>;

const reservedKind = 'cli-sandbox';

const known = (kind: string): RuntimeKind | undefined => runtimeKinds.find((one) => one === kind);

const usesHarness = (kind: string): boolean => {
  const found = known(kind);
  return found !== undefined && runtimeKindFacts(found).usesHarness;
};

const providers: readonly string[] = ['anthropic', 'openai', 'google'];
/** Supported providers by harness. */
const harnesses: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  harnessIds.flatMap((id) => {
    const { providers: supported } = harnessFacts(id);
    return supported === null ? [] : [[id, supported] as const];
  }),
);
const harnessFor: Readonly<Record<string, string>> = { openai: 'hermes', google: 'gemini-cli' };

export function effectiveTriple({ kind, provider, harness }: RuntimeTriple): EffectiveTriple {
  if (!usesHarness(kind)) return { provider: provider || 'anthropic', harness: '' };
  const fallback = Object.hasOwn(harnessFor, provider) ? harnessFor[provider] : undefined;
  return { provider: provider || 'anthropic', harness: harness || fallback || 'claude-code' };
}

/** Whether a message that arrives during a turn can join it. */
export function takesArrivals(triple: RuntimeTriple): boolean {
  const harness = findHarness(effectiveTriple(triple).harness);
  return harness === null || canSteer(harness);
}

/** `null` if this version can run agents with this kind and harness. */
export function notYet(triple: RuntimeTriple & { readonly kind: RuntimeKind }): AppError | null {
  const { kind } = triple;
  if (!isRunnableKind(kind)) {
    return fail(
      'unsupported',
      'agents.unsupportedRuntimeKind',
      { kind },
      { help: 'agents.setKindChatLocal', where: 'runtime.kind' },
    );
  }
  const { harness } = effectiveTriple(triple);
  // An image has no program that Kennel does not know.
  const isFit = harness !== customHarness || kind === 'cli-local';
  if (harness === '' || (isFit && findHarness(harness)?.isRunnable === true)) return null;
  return fail(
    'unsupported',
    'agents.unsupportedHarness',
    { harness },
    { help: 'agents.setHarnessClaudeCode', where: 'runtime.harness' },
  );
}

const bad = (where: string, message: HostMessage): Result<never> =>
  err(appError('invalid_input', message, { where }));

/** A named provider must fit the harness; an empty one leaves the choice to the harness. */
function checkHarness(harness: string, provider: string): Result<void> {
  const supported = Object.hasOwn(harnesses, harness) ? harnesses[harness] : undefined;
  if (!supported) {
    return bad('harness', say('agents.unknownHarness', { harness, keys: Object.keys(harnesses).join(', ') }));
  }
  if (provider === '' || supported.includes(provider)) return ok(undefined);
  const list = supported.join(', ');
  return bad('provider', say('agents.unsupportedProvider', { harness, provider, list }));
}

/** The messages are those that clients of the local bridge expect. */
export function checkTriple(triple: RuntimeTriple): Result<EffectiveTriple> {
  const { kind, provider } = triple;
  if (kind === reservedKind) {
    return bad('kind', say('agents.reservedRuntimeKind', { kind }));
  }
  if (!known(kind)) {
    return bad('kind', say('agents.unknownRuntimeKind', { kind, kinds: runtimeKinds.join(', ') }));
  }
  if (provider !== '' && !providers.includes(provider)) {
    return bad('provider', say('agents.unknownProvider', { provider, providers: providers.join(', ') }));
  }
  const effective = effectiveTriple(triple);
  const fits = usesHarness(kind) ? checkHarness(effective.harness, provider) : ok(undefined);
  return fits.ok ? ok(effective) : fits;
}
