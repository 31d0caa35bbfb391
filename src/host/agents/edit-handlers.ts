import { ok } from '../../contract/result.ts';
import type { Handlers } from '../dispatch.ts';
import type { SummarizeAgent } from './agent-view.ts';
import type { CreateAgentCall } from './create-agent.ts';
import type { EditAgent } from './edit-agent.ts';
import { setModel } from './model-settings.ts';
import { type SetRuntimeDeps, setRuntime } from './set-runtime.ts';

type EditMethods = Pick<
  Handlers,
  'agents.create' | 'agents.edit' | 'agents.setRuntime' | 'agents.setModel' | 'agents.rename'
>;

export interface EditHandlerDeps {
  readonly create: CreateAgentCall;
  readonly edit: EditAgent;
  readonly runtime: SetRuntimeDeps;
  readonly summarize: SummarizeAgent;
}

export function createEditHandlers({ create, edit, runtime, summarize }: EditHandlerDeps): EditMethods {
  return {
    'agents.create': async (input) => {
      const made = await create(input);
      return made.ok ? ok({ ...made.value, agent: summarize(made.value.agent) }) : made;
    },
    'agents.edit': async (input) => {
      const edited = await edit(input);
      return edited.ok ? ok({ ...edited.value, agent: summarize(edited.value.agent) }) : edited;
    },
    'agents.setRuntime': async (input) => {
      const changed = await setRuntime(runtime, input);
      return changed.ok ? ok({ ...changed.value, agent: summarize(changed.value.agent) }) : changed;
    },
    'agents.setModel': (input) => {
      const changed = setModel(runtime.agents, input);
      if (!changed.ok) return changed;
      runtime.fleet.apply();
      return ok({ agent: summarize(changed.value) });
    },
    'agents.rename': async ({ agent, displayName }) => {
      const renamed = await edit({ agent, displayName });
      return renamed.ok ? ok(summarize(renamed.value.agent)) : renamed;
    },
  };
}
