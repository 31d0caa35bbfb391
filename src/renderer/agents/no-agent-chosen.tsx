import { Empty } from '../parts/empty.tsx';
import { askNewAgent } from '../state/screen.ts';
import { useAgents } from '../state/subscriptions.ts';

/** Nothing is selected: with agents in the list a hint, without any the way to the first one. */
export function NoAgentChosen() {
  const none = useAgents((agents) => agents !== null && Object.keys(agents).length === 0);
  if (!none) return <Empty title="Choose an agent">See what it does, who it is and how it runs.</Empty>;
  return (
    <Empty title="Your first agent">
      <p>Give it a name and a role. It gets keys of its own and answers in your rooms.</p>
      <NewAgentButton />
    </Empty>
  );
}

export function NewAgentButton() {
  return (
    <button type="button" className="button is-primary" onClick={() => askNewAgent(true)}>
      Create an agent
    </button>
  );
}
