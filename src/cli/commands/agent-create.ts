import type { MethodInput } from '../../contract/methods.ts';
import { defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { modelOptions } from '../model-flags.ts';
import { type ProfileFlags, profileInput, profileOptions, readTextFlag } from '../profile-flags.ts';
import { kindOf } from '../runtime-kind.ts';
import { askSecret, canAsk, commandFailure, exitOk, type SecretFlag, secretFlag, show } from '../terminal.ts';

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
  const runtime = await kindOf(flags.runtime);
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
async function askForKey(
  { call }: HostSession,
  flags: CreateFlags,
  kind: MethodInput<'agents.create'>['kind'],
): Promise<string | undefined> {
  const { provider, baseUrl, apiKey } = flags;
  if (!provider || baseUrl || apiKey || flags.json || !canAsk()) return undefined;
  const { defaultRuntimeKind } = await import('../../contract/runtime-kinds.ts');
  if ((kind ?? defaultRuntimeKind) !== defaultRuntimeKind) return undefined;
  const { keys } = await call('config.get', {});
  if (keys[provider] !== 'none') return undefined;
  return (await askSecret(`${copy('cliAgents.keyFor', { provider })} `)).trim() || undefined;
}

async function runCreate(args: readonly string[], flags: CreateFlags): Promise<number> {
  const id = flags.id ?? args[0] ?? '';
  if (id === '') throw commandFailure('invalid_input', 'cliAgents.needsId', {}, { help: 'cliAgents.giveId' });
  if (flags.id && args[0] && flags.id !== args[0])
    throw commandFailure('invalid_input', 'cliAgents.idDiffers');
  const input = await createInput(id, flags);
  return withHost('files', async (session) => {
    const apiKey = await askForKey(session, flags, input.kind);
    const made = await session.call('agents.create', apiKey ? { ...input, apiKey } : input);
    const named = made.agent.slug ? `${made.agent.id} (${made.agent.slug})` : made.agent.id;
    show(
      flags.json === true,
      made,
      `${copy('cliAgents.created', { name: named })} ${shown(made.note)}`.trimEnd(),
    );
    return exitOk;
  });
}

export const createAgentCommand = defineCommand({
  verb: 'create',
  args: '[id]',
  progress: 'cliProgress.creating',
  options: [
    { flags: '--id <id>' },
    ...profileOptions,
    { flags: '--profile <file>' },
    {
      flags: '--runtime <chat-local|sdk-local|cli-local|cli-docker>',
    },
    ...modelOptions,
    { flags: '--server <url>' },
    { flags: '--no-register' },
    { flags: '--no-mention' },
    { flags: '--no-dm' },
  ],
  examples: [
    'agent create helper --role "Answers questions"',
    'agent create helper --provider openai --model gpt-5 --api-key',
    'agent create helper --soul soul.md --avatar face.png',
  ],
  run: runCreate,
});
