import { appError } from '../../contract/errors.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import {
  type AgentConfig,
  agentConfigSchema,
  isAgentId,
  isConfigured,
} from '../../core/agents/agent-config.ts';
import { replaceSoul } from '../../core/agents/profile.ts';
import { effectiveTriple, notYet, type RuntimeTriple } from '../../core/agents/runtime-triple.ts';
import { deriveRoleShort } from '../../core/puffo/role.ts';
import type { AgentChange, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createProfileHistory } from '../../services/agent-store/profile-history.ts';
import type { ProfileField } from '../../services/puffo/profile-sync.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { mayHeal } from '../identity/registrations.ts';
import { waitUntil } from '../wait-until.ts';
import { summaryOf } from './agent-handlers.ts';
import { configInForce } from './agent-view.ts';
import { checkProfile, checkRuntime, checkWholeRuntime } from './check-input.ts';
import { findAgent } from './find-agent.ts';
import { factsOfOldModel, setModel } from './model-settings.ts';
import { registerIdentity } from './register-agent.ts';

type EditMethods = Pick<
  Handlers,
  'agents.create' | 'agents.edit' | 'agents.setRuntime' | 'agents.setModel' | 'agents.rename'
>;
type CreateInput = MethodParsed<'agents.create'>;
type RuntimeInput = Omit<MethodParsed<'agents.setRuntime'>, 'agent'>;
type ProfilePatch = MethodParsed<'agents.edit'>;

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

const present = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

function runtimeChange(input: RuntimeInput): NonNullable<AgentChange['runtime']> {
  return present({
    kind: input.kind,
    provider: input.provider,
    model: input.model,
    base_url: input.baseUrl,
    allowed_tools: input.allowedTools,
    docker_image: input.dockerImage,
    permission_mode: input.permissionMode,
    harness: input.harness,
    max_turns: input.maxTurns,
  });
}

const channelRules = (wish: NonNullable<RuntimeInput['channels']>): AgentConfig['triggers']['channels'] =>
  Object.fromEntries(Object.entries(wish).flatMap(([id, rule]) => (rule === null ? [] : [[id, rule]])));

const triggersChange = (
  input: RuntimeInput,
  before: AgentConfig['triggers'],
): NonNullable<AgentChange['triggers']> =>
  present({
    on_mention: input.onMention,
    on_dm: input.onDm,
    hold_first_contact: input.holdFirstContact,
    channels: input.channels ? channelRules({ ...before.channels, ...input.channels }) : undefined,
  });

/** A role always comes with its short form, given or derived (spec §6.7). */
const roleFields = (input: { role?: string | undefined; roleShort?: string | undefined }) =>
  present({
    role: input.role,
    role_short: input.roleShort ?? (input.role === undefined ? undefined : deriveRoleShort(input.role)),
  });

const newTriple = ({ kind = 'chat-local', provider = '', harness = '' }: CreateInput): RuntimeTriple => ({
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

function checkCreate(context: HostContext, input: CreateInput): Result<void> {
  if (!isAgentId(input.id)) {
    return err(
      appError('invalid_input', `"${input.id}" cannot be an agent's id.`, {
        hint: 'Use at most 64 letters, digits, "-" and "_", beginning with a letter or digit.',
      }),
    );
  }
  if (context.agents.get(input.id))
    return err(appError('conflict', `There is already an agent '${input.id}'.`));
  const profile = checkProfile(input, false);
  const runtime = profile.ok ? checkRuntime(input) : profile;
  if (!runtime.ok) return runtime;
  return checkWholeRuntime(newTriple(input));
}

interface Registration {
  readonly registered: boolean;
  readonly note: string;
}

const onceOnline =
  'Its files are made. It gets its identity by itself as soon as Kennel runs and its server answers.';
const scaffolded = 'It is not connected: fill in puffo_core in its agent.yml, and it connects by itself.';

/** A failed registration keeps the agent's files; the note says why the agent has no identity yet. */
async function tryRegister(context: HostContext, agent: LoadedAgent, wanted: boolean): Promise<Registration> {
  if (!wanted) return { registered: false, note: scaffolded };
  const someone = context.operator.record();
  if (!someone.ok || someone.value === null) {
    const missing = context.ports.mode === 'full' ? ' There is no operator yet.' : '';
    return { registered: false, note: `${scaffolded}${missing}` };
  }
  if (context.ports.mode !== 'full' || !context.operator.session()) {
    const asked = context.identity.registrations.want(agent.id);
    return { registered: false, note: asked.ok ? onceOnline : asked.error.message };
  }
  const done = await registerIdentity(context, agent);
  if (done.ok) return { registered: true, note: '' };
  const registered = isConfigured(configInForce(context.agents.get(agent.id) ?? agent));
  const said = [done.error.message, done.error.hint].filter(Boolean).join(' ');
  if (registered) return { registered, note: said };
  if (mayHeal(done.error.code)) return { registered, note: `${onceOnline} ${done.error.message}` };
  context.identity.registrations.forget(agent.id);
  return { registered, note: `${scaffolded} ${said}` };
}

async function storeKey(context: HostContext, agentId: string, key: string): Promise<Result<void>> {
  const vault = await context.secrets.openForReal();
  return vault.ok ? context.secrets.apiKeys.setForAgent(agentId, key) : vault;
}

async function create(context: HostContext, input: CreateInput) {
  const fits = checkCreate(context, input);
  if (!fits.ok) return fits;
  // The key comes before the files: without it the agent would use another model than intended.
  const key = input.apiKey ? await storeKey(context, input.id, input.apiKey) : ok(undefined);
  if (!key.ok) return key;
  const config = newConfig(input, context.ports.clock.now());
  const made = context.agents.create({ id: input.id, config, profile: newProfile(input) });
  if (!made.ok) return made;
  context.fleet.apply();
  const server = input.serverUrl ?? '';
  const elsewhere = server !== '' && server !== context.operator.session()?.record.serverUrl;
  const registration = await tryRegister(context, made.value, input.register && !elsewhere);
  const picture = input.avatar ? await firstPicture(context, input.id, input.avatar.base64) : '';
  const agent = summaryOf(context, context.agents.get(input.id) ?? made.value);
  return ok({
    agent,
    registered: registration.registered,
    note: [registration.note, picture, notYet(config.runtime.kind)?.message].filter(Boolean).join(' '),
  });
}

const onlineMs = 10_000;

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

/**
 * A new agent is usually online within moments, so its picture is uploaded then; otherwise it stays queued.
 */
async function firstPicture(context: HostContext, id: string, base64: string): Promise<string> {
  const noted = context.identity.profiles.noted(id, [], bytesOf(base64));
  if (!noted.ok) return noted.error.message;
  const online = () => context.fleet.account(id)?.connection().state === 'online';
  const agent = context.agents.get(id);
  const connects = agent !== null && isConfigured(configInForce(agent));
  if (connects && context.ports.mode === 'full') await waitUntil(context.ports.clock, onlineMs, online);
  return context.identity.profiles.push(id);
}

/** A changed role also publishes its short form. */
function editedFields(input: ProfilePatch, role: { role?: string; role_short?: string }): ProfileField[] {
  const fields: ProfileField[] = input.displayName === undefined ? [] : ['displayName'];
  const changesRole = role.role !== undefined || role.role_short !== undefined;
  return changesRole ? [...fields, 'role', 'roleShort'] : fields;
}

/** Saves both versions before the file changes, so a crash loses neither. */
function writeSoul(context: HostContext, agent: LoadedAgent, before: string, soul: string): Result<void> {
  const after = replaceSoul(before, soul);
  if (after === before) return ok(undefined);
  const history = createProfileHistory(agent, context.disk);
  const kept = history.keep(before);
  const noted = kept.ok ? history.keep(after, context.ports.clock.now()) : kept;
  return noted.ok ? context.agents.writeProfile(agent.id, after) : noted;
}

async function edit(context: HostContext, input: ProfilePatch) {
  const { agents } = context;
  const found = findAgent(agents, input.agent);
  if (!found.ok) return found;
  const { id } = found.value;
  const before = configInForce(found.value);
  const role = roleFields(input);
  const fits = checkProfile(input, before.role !== '');
  if (!fits.ok) return fits;
  if (input.soul !== undefined) {
    const profile = agents.readProfile(id);
    if (!profile.ok) return profile;
    const written = writeSoul(context, found.value, profile.value, input.soul);
    if (!written.ok) return written;
  }
  const fields = editedFields(input, role);
  const picture = input.avatar ? bytesOf(input.avatar.base64) : null;
  const noted = context.identity.profiles.noted(id, fields, picture);
  if (!noted.ok) return noted;
  const changed = agents.update(id, present({ display_name: input.displayName, ...role }));
  if (!changed.ok) return changed;
  const warning = await context.identity.profiles.push(id);
  context.chat.roomsChanged();
  const agent = summaryOf(context, agents.get(id) ?? changed.value);
  return ok({ agent, warning });
}

/**
 * Only a change of kind, provider or harness checks that the three fit together. An agent that already has a
 * wrong combination can still change its other settings.
 */
const changesKind = ({ kind, provider, harness }: RuntimeInput): boolean =>
  kind !== undefined || provider !== undefined || harness !== undefined;

async function setRuntime(context: HostContext, input: MethodParsed<'agents.setRuntime'>) {
  const found = findAgent(context.agents, input.agent);
  if (!found.ok) return found;
  const fits = checkRuntime(input);
  if (!fits.ok) return fits;
  const before = configInForce(found.value).runtime;
  const whole = { ...before, ...runtimeChange(input) };
  const together = changesKind(input) ? checkWholeRuntime(whole) : ok(undefined);
  if (!together.ok) return together;
  const { id } = found.value;
  if (input.apiKey) {
    const stored = await storeKey(context, id, input.apiKey);
    if (!stored.ok) return stored;
  }
  const changed = context.agents.update(id, {
    runtime: { ...runtimeChange(input), ...factsOfOldModel(before, whole) },
    triggers: triggersChange(input, configInForce(found.value).triggers),
  });
  if (!changed.ok) return changed;
  context.fleet.apply();
  const config = configInForce(changed.value);
  const choice = context.models.choose(id, config);
  const unfit = notYet(config.runtime.kind) ?? (choice.ok ? null : choice.error);
  return ok({ agent: summaryOf(context, changed.value), warning: unfit?.message ?? '' });
}

export function createEditHandlers(context: HostContext): EditMethods {
  return {
    'agents.create': (input) => create(context, input),
    'agents.edit': (input) => edit(context, input),
    'agents.setRuntime': (input) => setRuntime(context, input),
    'agents.setModel': async (input) => setModel(context, input),
    'agents.rename': async ({ agent, displayName }) => {
      const renamed = await edit(context, { agent, displayName });
      return renamed.ok ? ok(renamed.value.agent) : renamed;
    },
  };
}
