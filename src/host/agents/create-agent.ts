import { fail } from '../../contract/fail.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { defaultRuntimeKind } from '../../contract/runtime-kinds.ts';
import { type AgentConfig, agentConfigSchema, isAgentId } from '../../core/agents/agent-config.ts';
import { replaceSoul } from '../../core/agents/profile.ts';
import { effectiveTriple, notYet } from '../../core/agents/runtime-triple.ts';
import type { Clock } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { joinTexts } from '../join-texts.ts';
import { roleFields, runtimeChange, triggersChange } from './agent-change.ts';
import { checkProfile, checkRuntime, checkWholeRuntime } from './check-input.ts';
import type { RegisterNewAgent } from './register-new-agent.ts';
import { type RuntimeKeys, storeAgentKey } from './set-runtime.ts';

type CreateInput = MethodParsed<'agents.create'>;

const profileTemplate = (name: string): string =>
  [
    '# Agent Profile',
    '',
    '## Conversation Format',
    '',
    'Answer in the thread you were asked in. Write Markdown, short and to the point.',
    '',
    '## Identity',
    '',
    `You are ${name}.`,
    '',
    '## When to Reply',
    '',
    'Reply when you are addressed. When there is nothing to add, answer with [SILENT].',
    '',
  ].join('\n');

const newTriple = ({ kind = defaultRuntimeKind, provider = '', harness = '' }: CreateInput) => ({
  kind,
  provider,
  harness,
});

/** The harness that fits the provider, unless the caller names one or the kind starts no program. */
function newHarness(input: CreateInput): { readonly harness?: string } {
  const { harness } = effectiveTriple(newTriple(input));
  return input.harness === undefined && harness !== '' ? { harness } : {};
}

function newConfig(input: CreateInput, now: number): AgentConfig {
  const base = agentConfigSchema().parse({});
  return {
    ...base,
    display_name: input.displayName ?? input.id,
    ...roleFields(input),
    created_at: Math.floor(now / 1000),
    puffo_core: { ...base.puffo_core, ...(input.serverUrl ? { server_url: input.serverUrl } : {}) },
    runtime: { ...base.runtime, ...runtimeChange(input), ...newHarness(input) },
    triggers: { ...base.triggers, ...triggersChange(input, base.triggers) },
  };
}

function newProfile(input: CreateInput): string {
  const text = input.profile ?? profileTemplate(input.displayName ?? input.id);
  return input.soul === undefined ? text : replaceSoul(text, input.soul);
}

function checkNewAgent(agents: AgentStore, input: CreateInput): Result<void> {
  if (!isAgentId(input.id)) {
    return err(
      fail('invalid_input', 'agents.invalidAgentId', { id: input.id }, { help: 'agents.agentIdRules' }),
    );
  }
  if (agents.get(input.id)) return err(fail('conflict', 'agents.agentIdTaken', { id: input.id }));
  const profile = checkProfile(input, false);
  const runtime = profile.ok ? checkRuntime(input) : profile;
  if (!runtime.ok) return runtime;
  return checkWholeRuntime(newTriple(input));
}

export interface CreateAgentDeps {
  readonly agents: AgentStore;
  readonly secrets: RuntimeKeys;
  readonly clock: Clock;
  readonly fleet: { apply(): void };
  readonly register: RegisterNewAgent;
  /** Returns a note for the person, or an empty text. */
  readonly uploadPicture: (agentId: string, picture: Uint8Array) => Promise<HostText>;
}

export interface CreatedAgent {
  readonly agent: LoadedAgent;
  readonly registered: boolean;
  readonly note: HostText;
}

export type CreateAgentCall = (input: CreateInput) => Promise<Result<CreatedAgent>>;

export const createAgentCreator =
  ({ agents, secrets, clock, fleet, register, uploadPicture }: CreateAgentDeps): CreateAgentCall =>
  async (input) => {
    const { id } = input;
    const fits = checkNewAgent(agents, input);
    if (!fits.ok) return fits;
    // The key comes before the files: without it the agent would use another model than intended.
    const key = input.apiKey ? await storeAgentKey(secrets, id, input.apiKey) : ok(undefined);
    if (!key.ok) return key;
    const config = newConfig(input, clock.now());
    const made = agents.create({ id, config, profile: newProfile(input) });
    if (!made.ok) return made;
    fleet.apply();
    const { registered, note } = await register(made.value, input);
    const picture = input.avatar ? await uploadPicture(id, Buffer.from(input.avatar.base64, 'base64')) : '';
    const notes = [note, picture, notYet(config.runtime)?.message];
    return ok({
      agent: agents.get(id) ?? made.value,
      registered,
      note: joinTexts(notes),
    });
  };
