import type { AgentSummary } from '../../contract/model.ts';
import { DiffReview } from '../parts/diff-review.tsx';
import { useAction } from '../state/action.ts';
import { keepSoul, say } from '../state/screen.ts';

interface ReviewOf {
  readonly agent: AgentSummary;
  readonly before: string;
  readonly after: string;
  onSaved(): void;
  onClose(): void;
}

/** What changes in a soul, before it does. */
export function SoulReview({ agent, before, after, onSaved, onClose }: ReviewOf) {
  const edit = useAction('agents.edit');
  const save = async (): Promise<void> => {
    const result = await edit.run({ agent: agent.id, soul: after });
    if (!result.ok) return;
    say(result.value.warning === '' ? 'Saved. It counts from the next turn.' : result.value.warning);
    onSaved();
    keepSoul(agent.id, null);
    onClose();
  };
  return (
    <DiffReview
      title={`What changes in ${agent.displayName}’s soul`}
      verb="Save soul"
      before={before}
      after={after}
      busy={edit.busy}
      error={edit.error}
      onSave={() => void save()}
      onClose={onClose}
    />
  );
}
