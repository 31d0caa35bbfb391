/** Changes of `agent.yml` that the method inputs describe. */
import type { MethodParsed } from '../../contract/methods.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { deriveRoleShort } from '../../core/puffo/role.ts';
import type { AgentChange } from '../../services/agent-store/agent-types.ts';

export type RuntimePatch = Omit<MethodParsed<'agents.setRuntime'>, 'agent'>;

/** Without the properties that are `undefined`. */
export const present = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

export function runtimeChange(input: RuntimePatch): NonNullable<AgentChange['runtime']> {
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

const channelRules = (wish: NonNullable<RuntimePatch['channels']>): AgentConfig['triggers']['channels'] =>
  Object.fromEntries(Object.entries(wish).flatMap(([id, rule]) => (rule === null ? [] : [[id, rule]])));

export const triggersChange = (
  input: RuntimePatch,
  before: AgentConfig['triggers'],
): NonNullable<AgentChange['triggers']> =>
  present({
    on_mention: input.onMention,
    on_dm: input.onDm,
    hold_first_contact: input.holdFirstContact,
    channels: input.channels ? channelRules({ ...before.channels, ...input.channels }) : undefined,
  });

/** A role always comes with its short form, given or derived (spec §6.7). */
export const roleFields = (input: { role?: string | undefined; roleShort?: string | undefined }) =>
  present({
    role: input.role,
    role_short: input.roleShort ?? (input.role === undefined ? undefined : deriveRoleShort(input.role)),
  });
