import { useHost } from '../state/subscriptions.ts';
import { UsagePanel } from '../usage/usage-panel.tsx';

/** What all agents together used and may use. */
export function SpendingCard() {
  const spent = useHost((host) => host?.spentToday.tokens ?? 0);
  return (
    <details className="card settings-wide">
      <summary>
        <h2>Usage and budget</h2>
      </summary>
      <UsagePanel agent={null} spent={spent} />
    </details>
  );
}
