import { fail } from '../../contract/fail.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { takesArrivals } from '../../core/agents/runtime-triple.ts';
import { thinkingLevels } from '../../core/models/model-ports.ts';
import type { AgentChange, AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Handlers } from '../dispatch.ts';
import { checkVersion, versionOf } from '../edit-version.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { LiveWork } from '../work/live-work.ts';
import { configInForce } from './agent-view.ts';
import { findAgent } from './find-agent.ts';

type WorkMethods = Pick<
  Handlers,
  'agents.stop' | 'agents.tools' | 'agents.setTools' | 'brake.list' | 'brake.continue' | 'chat.answerAgain'
>;

export interface WorkHandlerDeps {
  readonly agents: AgentStore;
  readonly fleet: Pick<Fleet, 'stopTurn' | 'sharedTools' | 'apply' | 'brakes' | 'goOn' | 'answerAgain'>;
  readonly live: Pick<LiveWork, 'turn'>;
}

export function createWorkHandlers({ agents, fleet, live }: WorkHandlerDeps): WorkMethods {
  return {
    'agents.stop': ({ agent: ref, turn }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const { id } = found.value;
      const open = turn === undefined ? null : live.turn(turn);
      const isKnown = turn === undefined || open?.agentId === id;
      if (isKnown && fleet.stopTurn(id, open?.info.threadKey ?? null)) return ok({});
      return err(fail('conflict', 'agents.nothingToStop'));
    },
    'agents.tools': async ({ agent: ref }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const agent = found.value;
      const config = configInForce(agent);
      // Loaded on demand to keep host startup fast.
      const kit = await import('../fleet/agent-kit.ts');
      const shared = await fleet.sharedTools();
      const own = kit.agentTools(shared, agent, config, kit.noMessaging);
      const tools = [...own, ...(await shared.features.servers(agent, 'look'))];
      const { offers } = kit.offeredTools(tools, config);
      const { allow, alsoAllow, deny } = config.tools;
      const roots = shared.folders.roots(agent, config);
      return ok({
        tools: { allow: [...allow], alsoAllow: [...alsoAllow], deny: [...deny] },
        mode: config.policy.mode,
        rules: [...config.policy.rules],
        arrival: config.on_arrival,
        canSteer: takesArrivals(config.runtime),
        thinking: config.runtime.thinking,
        available: tools.map(({ name, group, description }, at) => ({
          name,
          group,
          description,
          offered: offers[at]?.offered ?? false,
          why: offers[at]?.why ?? '',
        })),
        roots: { readable: [...roots.readable], writable: [...roots.writable] },
        folders: [...shared.folders.list(agent, config)],
        version: toolsVersion(config),
      });
    },
    'agents.setTools': ({ agent: ref, version, ...wish }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const current = checkVersion(version, toolsVersion(configInForce(found.value)));
      if (!current.ok) return current;
      const change = changeOf(wish);
      if (!change.ok) return change;
      const changed = agents.update(found.value.id, change.value);
      if (!changed.ok) return changed;
      fleet.apply();
      return ok({});
    },
    'brake.list': () => ok({ brakes: [...fleet.brakes()] }),
    'brake.continue': ({ agent: ref, room, rootId }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      if (fleet.goOn(found.value.id, { roomId: room, rootId })) return ok({});
      return err(fail('conflict', 'agents.nothingToContinue'));
    },
    'chat.answerAgain': ({ agent: ref, message }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      if (fleet.answerAgain(found.value.id, message)) return ok({});
      return err(fail('conflict', 'agents.noAnswerToRepeat'));
    },
  };
}

/** The lists and rules, which a form edits as a whole; the other settings are saved one by one. */
const toolsVersion = ({ tools, policy }: AgentConfig): string => versionOf([tools, policy.rules]);

type ToolsWish = Omit<MethodParsed<'agents.setTools'>, 'agent' | 'version'>;

function changeOf({ tools, mode, rules, arrival, thinking }: ToolsWish): Result<AgentChange> {
  const level = thinkingLevels.find((one) => one === thinking);
  if (thinking !== undefined && level === undefined) {
    const known = thinkingLevels.join(', ');
    return err(fail('invalid_input', 'agents.invalidThinking', { known }, { where: 'thinking' }));
  }
  const policy = { ...(mode === undefined ? {} : { mode }), ...(rules === undefined ? {} : { rules }) };
  return ok({
    ...(tools === undefined ? {} : { tools }),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
    ...(arrival === undefined ? {} : { on_arrival: arrival }),
    ...(level === undefined ? {} : { runtime: { thinking: level } }),
  });
}
