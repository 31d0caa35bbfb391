import type { MethodInput } from '../../contract/methods.ts';
import { defaultRuntimeKind } from '../../contract/runtime-kinds.ts';
import { type ProfileFlags, profileInput, readTextFlag } from '../profile-flags.ts';
import { kindOf } from '../runtime-kind.ts';
import { type HostSession, withHost } from '../session.ts';
import { askSecret, canAsk, exitOk, type SecretFlag, secretFlag, show, usage } from '../terminal.ts';

interface CreateFlags extends ProfileFlags {
  readonly json?: boolean;
  readonly id?: string;
  readonly profile?: string;
  readonly runtime?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: SecretFlag;
  readonly harness?: string;
  readonly server?: string;
  readonly register: boolean;
  readonly mention: boolean;
  readonly dm: boolean;
}

async function createInput(id: string, flags: CreateFlags): Promise<MethodInput<'agents.create'>> {
  const { provider, model, baseUrl, harness, server, profile } = flags;
  const runtime = kindOf(flags.runtime);
  const apiKey = await secretFlag(flags.apiKey, '--api-key');
  return {
    id,
    ...profileInput(flags),
    ...(profile === undefined ? {} : { profile: readTextFlag('--profile', profile) }),
    ...(runtime && { kind: runtime }),
    ...(provider && { provider }),
    ...(model && { model }),
    ...(baseUrl && { baseUrl }),
    ...(apiKey && { apiKey }),
    ...(harness && { harness }),
    ...(server && { serverUrl: server }),
    ...(flags.mention ? {} : { onMention: false }),
    ...(flags.dm ? {} : { onDm: false }),
    register: flags.register,
  };
}

/** Asks for a missing API key in a terminal, if the provider was named. */
async function askForKey({ call }: HostSession, flags: CreateFlags): Promise<string | undefined> {
  const { provider, baseUrl, apiKey } = flags;
  const kind = kindOf(flags.runtime) ?? defaultRuntimeKind;
  if (!provider || baseUrl || apiKey || kind !== defaultRuntimeKind || flags.json || !canAsk())
    return undefined;
  const { keys } = await call('config.get', {});
  if (keys[provider] !== 'none') return undefined;
  return (await askSecret(`API key for ${provider} (empty: none for now): `)).trim() || undefined;
}

export async function runCreate(args: readonly string[], flags: CreateFlags): Promise<number> {
  const id = flags.id ?? args[0] ?? '';
  if (id === '') throw usage('An agent needs an id.', 'kennel agent create --id my-agent');
  if (flags.id && args[0] && flags.id !== args[0]) throw usage('The id was given twice and differs.');
  const input = await createInput(id, flags);
  return withHost('files', async (session) => {
    const apiKey = await askForKey(session, flags);
    const made = await session.call('agents.create', apiKey ? { ...input, apiKey } : input);
    const named = made.agent.slug ? `${made.agent.id} (${made.agent.slug})` : made.agent.id;
    show(flags.json === true, made, `Made agent ${named}. ${made.note}`.trimEnd());
    return exitOk;
  });
}
