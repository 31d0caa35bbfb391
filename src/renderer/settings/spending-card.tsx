import { t } from '../../language/texts.ts';
import { useHost } from '../state/subscriptions.ts';
import { UsagePanel } from '../usage/usage-panel.tsx';

export function SpendingCard() {
  const spent = useHost((host) => host?.spentToday.tokens ?? 0);
  return (
    <section className="settings-wide" aria-labelledby="spending-title">
      <h2 id="spending-title">{t('settings.budget')}</h2>
      <UsagePanel agent={null} spent={spent} />
    </section>
  );
}
