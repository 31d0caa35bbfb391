import type { MethodParsed } from '../../contract/methods.ts';
import { ok, type Result } from '../../contract/result.ts';
import { replaceSoul } from '../../core/agents/profile.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createProfileHistory } from '../../services/agent-store/profile-history.ts';
import type { ProfileField } from '../../services/puffo/profile-sync.ts';
import { checkVersion } from '../edit-version.ts';
import type { ProfileSync } from '../identity/profile-sync.ts';
import { present, roleFields } from './agent-change.ts';
import { agentVersions, configInForce } from './agent-view.ts';
import { checkProfile } from './check-input.ts';
import { findAgent } from './find-agent.ts';

type ProfilePatch = MethodParsed<'agents.edit'>;

export interface EditAgentDeps {
  readonly agents: AgentStore;
  readonly disk: DiskPort;
  readonly clock: Clock;
  readonly profiles: Pick<ProfileSync, 'noted' | 'push'>;
  readonly onEdited: () => void;
}

export interface EditedAgent {
  readonly agent: LoadedAgent;
  /** Why the server does not have the change yet, or an empty text. */
  readonly warning: HostText;
}

export type EditAgent = (input: ProfilePatch) => Promise<Result<EditedAgent>>;

/** A changed role also publishes its short form. */
function editedFields(input: ProfilePatch, role: { role?: string; role_short?: string }): ProfileField[] {
  const fields: ProfileField[] = input.displayName === undefined ? [] : ['displayName'];
  const changesRole = role.role !== undefined || role.role_short !== undefined;
  return changesRole ? [...fields, 'role', 'roleShort'] : fields;
}

/** Saves both versions before the file changes, so a crash loses neither. */
function writeSoul({ agents, disk, clock }: EditAgentDeps, agent: LoadedAgent, soul: string): Result<void> {
  const before = agents.readProfile(agent.id);
  if (!before.ok) return before;
  const after = replaceSoul(before.value, soul);
  if (after === before.value) return ok(undefined);
  const history = createProfileHistory(agent, disk);
  const kept = history.keep(before.value);
  const noted = kept.ok ? history.keep(after, clock.now()) : kept;
  return noted.ok ? agents.writeProfile(agent.id, after) : noted;
}

/** Reads the profile only if the caller named a version. */
function checkProfileVersion(
  agents: EditAgentDeps['agents'],
  agent: LoadedAgent,
  version: string | undefined,
): Result<void> {
  if (version === undefined) return ok(undefined);
  const profile = agents.readProfile(agent.id);
  const now = agentVersions(configInForce(agent), profile.ok ? profile.value : '');
  return checkVersion(version, now.profile);
}

export const createAgentEditor =
  (deps: EditAgentDeps): EditAgent =>
  async (input) => {
    const { agents, profiles } = deps;
    const found = findAgent(agents, input.agent);
    if (!found.ok) return found;
    const { id } = found.value;
    const current = checkProfileVersion(agents, found.value, input.version);
    if (!current.ok) return current;
    const role = roleFields(input);
    const fits = checkProfile(input, configInForce(found.value).role !== '');
    if (!fits.ok) return fits;
    const written = input.soul === undefined ? ok(undefined) : writeSoul(deps, found.value, input.soul);
    if (!written.ok) return written;
    const picture = input.avatar ? Buffer.from(input.avatar.base64, 'base64') : null;
    const noted = profiles.noted(id, editedFields(input, role), picture);
    if (!noted.ok) return noted;
    const changed = agents.update(id, present({ display_name: input.displayName, ...role }));
    if (!changed.ok) return changed;
    const warning = await profiles.push(id);
    deps.onEdited();
    return ok({ agent: agents.get(id) ?? changed.value, warning });
  };
