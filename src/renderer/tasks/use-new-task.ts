/** State of the task composer. The text is kept while other pages are open, and if adding fails. */
import { type RefObject, useMemo, useState } from 'react';
import type { AgentSummary, Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { useAction } from '../state/action.ts';
import { keepUnsent, showNotice, useScreen } from '../state/screen.ts';
import { useAgents, useLine } from '../state/subscriptions.ts';
import { newPlan, type Plan, planOf } from './plan.ts';
import { readTypedTask } from './typed-task.ts';

/** Key of the unsent text in the same store as that of rooms. */
const place = 'new-task';

/** Empty: as the agent is set. */
export type WorktreeChoice = '' | 'on' | 'off';

export type Nameable = Pick<Room, 'kind' | 'members'>;

/** `chosen` is the agent that gets the task unless the text names one; empty for any. */
export function useNewTask(chosen: string, area: RefObject<HTMLTextAreaElement | null>) {
  const text = useScreen((screen) => screen.unsent[place] ?? '');
  const setText = (next: string): void => keepUnsent(place, next);
  const [plan, setPlan] = useState(planOf);
  const [room, setRoom] = useState('');
  const [worktree, setWorktree] = useState<WorktreeChoice>('');
  const add = useAction('tasks.add');
  const up = useLine() === 'up';
  const nameable = useAgentsAsRoom();
  const { slug, goal } = readTypedTask(text, nameable.members);
  const named = useAgents(
    (all) => Object.values(all ?? {}).find((one) => handleOf(one) === slug)?.id ?? null,
  );
  const doer = named ?? chosen;
  const submit = async (): Promise<void> => {
    if (goal === '' || add.busy || !up) return;
    const result = await add.run({
      goal,
      ...(doer === '' ? {} : { agent: doer }),
      ...newPlan(plan),
      ...(room === '' ? {} : { room }),
      ...(worktree === '' ? {} : { worktree: worktree === 'on' }),
    });
    if (!result.ok) return;
    showNotice(t('tasks.added', { number: String(result.value.task.id) }));
    if ((useScreen.getState().unsent[place] ?? '') === text) setText('');
    setPlan((old) => planOf({ project: old.project }));
    area.current?.focus();
  };
  return {
    text,
    setText,
    plan,
    changePlan: (part: Partial<Plan>): void => setPlan((old) => ({ ...old, ...part })),
    room,
    setRoom,
    worktree,
    setWorktree,
    nameable,
    /** The text names the agent. */
    isNamed: named !== null,
    doer,
    add,
    up,
    canSubmit: goal !== '' && !add.busy && up,
    submit,
  };
}

const handleOf = ({ slug, id }: AgentSummary): string => slug ?? id;

/** The agents, as the members of a room that `@` can name. */
function useAgentsAsRoom(): Nameable {
  const agents = useAgents((all) => all);
  return useMemo(
    () => ({
      kind: 'channel',
      members: Object.values(agents ?? {}).map((agent) => ({
        slug: handleOf(agent),
        displayName: agent.displayName,
        agent: true,
        role: agent.role,
      })),
    }),
    [agents],
  );
}
