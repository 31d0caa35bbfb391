/**
 * The changes to an agent that its owner may make through the bridge (spec §4.3): runtime, profile and
 * lifecycle.
 */

import { hostTextSchema } from '../../contract/host-text-schema.ts';
import { profileSummary } from '../../core/agents/profile.ts';
import { checkTriple } from '../../core/agents/runtime-triple.ts';
import { englishText } from '../../language/host-message.ts';
import { configOf, runtimeView } from './agent-views.ts';
import {
  type BridgeAvatar,
  type Fields,
  permissionFault,
  readAvatar,
  readFields,
  roleFault,
  textFault,
  textIn,
} from './body-fields.ts';
import {
  type BridgeAgent,
  type BridgeHome,
  type BridgeResponse,
  jsonResponse,
  refusal,
} from './bridge-types.ts';
import { type BridgeRoute, bridgeDone, bridgeFailed, findOwned } from './route-context.ts';

const note = 'Saved; it counts from the next turn.';

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const runtimeTexts = ['kind', 'provider', 'model', 'api_key', 'permission_mode', 'docker_image'];

function runtimeFault(fields: Fields, agent: BridgeAgent): string | null {
  const odd = textFault(fields, runtimeTexts);
  if (odd !== null) return odd;
  const loose = permissionFault(fields);
  if (loose !== null) return loose;
  const { allowed_tools: tools, max_turns: turns } = fields;
  if (tools != null && !isTexts(tools)) return 'allowed_tools must be a list of strings';
  if (turns != null && !Number.isSafeInteger(turns)) return 'max_turns must be an integer';
  if (fields.kind == null && fields.provider == null) return null;
  const { runtime } = configOf(agent);
  const triple = checkTriple({
    kind: textIn(fields, 'kind') ?? runtime.kind,
    provider: textIn(fields, 'provider') ?? runtime.provider,
    harness: runtime.harness,
  });
  return triple.ok ? null : `runtime: ${triple.error.message}`;
}

const runtimeNames: Readonly<Record<string, string>> = {
  kind: 'kind',
  provider: 'provider',
  model: 'model',
  api_key: 'apiKey',
  permission_mode: 'permissionMode',
  docker_image: 'dockerImage',
  allowed_tools: 'allowedTools',
  max_turns: 'maxTurns',
};

function runtimePatch(agent: string, fields: Fields): Record<string, unknown> {
  const named = Object.entries(runtimeNames).map(([theirs, ours]) => [ours, fields[theirs]] as const);
  return { agent, ...Object.fromEntries(named.filter(([, value]) => value != null)) };
}

export const patchRuntime: BridgeRoute = async (context) => {
  const found = findOwned(context, 'edit runtime');
  if (!found.ok) return found.error;
  const { home } = context;
  const { id } = found.value;
  const fields = readFields(context.request, context.parseJson);
  if (!fields.ok) return refusal(400, fields.error);
  const fault = runtimeFault(fields.value, found.value);
  if (fault !== null) return refusal(400, fault);
  const changed = await home.act('agents.setRuntime', runtimePatch(id, fields.value));
  if (!changed.ok) return bridgeFailed(changed.error);
  const removed = fields.value.api_key === '' ? home.removeKey(id) : changed;
  if (!removed.ok) return bridgeFailed(removed.error);
  return jsonResponse(200, { agent_id: id, runtime: runtimeView(home, home.get(id) ?? found.value), note });
};

interface ProfileChange {
  readonly patch: Readonly<Record<string, unknown>>;
  readonly avatarUrl: string | undefined;
}

const profileTexts = ['display_name', 'role', 'role_short', 'profile_summary', 'avatar_url'];

function readProfileChange(fields: Fields): ProfileChange | string {
  const odd = textFault(fields, profileTexts);
  if (odd !== null) return odd;
  const [role, roleShort] = [textIn(fields, 'role'), textIn(fields, 'role_short')];
  const fault = roleFault(role, roleShort);
  if (fault !== null) return fault;
  let avatar: BridgeAvatar | undefined;
  if (fields.avatar_bytes_b64 != null) {
    const read = readAvatar(fields.avatar_bytes_b64);
    if (!read.ok) return read.error;
    avatar = read.value;
  }
  const displayName = textIn(fields, 'display_name')?.trim();
  const given = { displayName, role, roleShort, soul: textIn(fields, 'profile_summary'), avatar };
  const patch = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { patch, avatarUrl: avatar ? undefined : textIn(fields, 'avatar_url') };
}

function profileView(home: BridgeHome, agent: BridgeAgent, warning: string): BridgeResponse {
  const { display_name, avatar_url, role, role_short } = configOf(agent);
  const summary = profileSummary(home.profile(agent.id));
  return jsonResponse(200, {
    agent_id: agent.id,
    display_name,
    avatar_url,
    role,
    role_short,
    profile_summary: summary,
    ...(warning === '' ? {} : { warning }),
  });
}

const warningOf = (value: unknown): string => {
  const warning: unknown = typeof value === 'object' && value ? Reflect.get(value, 'warning') : '';
  const text = hostTextSchema.safeParse(warning);
  return text.success ? englishText(text.data) : '';
};

export const patchProfile: BridgeRoute = async (context) => {
  const found = findOwned(context, 'edit profile');
  if (!found.ok) return found.error;
  const { home } = context;
  const { id } = found.value;
  const fields = readFields(context.request, context.parseJson);
  if (!fields.ok) return refusal(400, fields.error);
  const change = readProfileChange(fields.value);
  if (typeof change === 'string') return refusal(400, change);
  if (change.avatarUrl) {
    // Clients fetch this URL, so only a web address is allowed.
    if (!/^https:\/\/\S{1,1990}$/.test(change.avatarUrl))
      return refusal(400, 'avatar_url must start with https://');
  }
  const changed = await home.act('agents.edit', { agent: id, ...change.patch });
  if (!changed.ok) return bridgeFailed(changed.error);
  const pictured = change.avatarUrl === undefined ? changed : home.setAvatarUrl(id, change.avatarUrl);
  if (!pictured.ok) return bridgeFailed(pictured.error);
  return profileView(home, home.get(id) ?? found.value, warningOf(changed.value));
};

const stateRoute =
  (verb: 'pause' | 'resume', state: 'paused' | 'running', said: string): BridgeRoute =>
  async (context) => {
    const found = findOwned(context, `${verb} it`);
    if (!found.ok) return found.error;
    const { id } = found.value;
    if (found.value.lastGood?.state === state) return bridgeDone(id, `already ${state}`, { state });
    const changed = await context.home.act(`agents.${verb}`, { agent: id });
    return changed.ok ? bridgeDone(id, said, { state }) : bridgeFailed(changed.error);
  };

export const pauseAgent = stateRoute('pause', 'paused', 'It stops after what it is doing now.');
export const resume = stateRoute('resume', 'running', 'It starts again.');

/** The request is a file, so that it survives this process; a running agent obeys it at once (spec §5). */
const requestRoute =
  (request: 'restart' | 'archive' | 'delete', said: string): BridgeRoute =>
  async (context) => {
    const found = findOwned(context, `${request} it`);
    if (!found.ok) return found.error;
    const { id } = found.value;
    const asked = await context.home.act('agents.request', { agent: id, request });
    return asked.ok ? bridgeDone(id, said) : bridgeFailed(asked.error);
  };

export const restart = requestRoute('restart', 'It is about to start anew.');
export const archive = requestRoute('archive', 'It is about to be put away, with all its files.');
export const removeAgent = requestRoute('delete', 'It is about to be deleted, with all its files.');
