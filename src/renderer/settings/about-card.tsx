import { t } from '../../language/texts.ts';
import { For } from '../parts/time.tsx';
import { useHost } from '../state/subscriptions.ts';

export function AboutCard() {
  const version = useHost((host) => host?.version ?? '');
  const home = useHost((host) => host?.home ?? '');
  const pid = useHost((host) => host?.pid ?? 0);
  const startedAt = useHost((host) => host?.startedAt ?? 0);
  return (
    <section className="card stack" aria-labelledby="about-title">
      <h2 id="about-title">{t('upkeep.about')}</h2>
      <dl className="facts-list">
        <div className="fact">
          <dt>{t('upkeep.version')}</dt>
          <dd>Kennel {version}</dd>
        </div>
        <div className="fact">
          <dt>{t('upkeep.folder')}</dt>
          <dd>
            <code className="path">{home}</code>
          </dd>
        </div>
        <div className="fact">
          <dt>{t('upkeep.running')}</dt>
          <dd>{t.rich('upkeep.runningFor', { pid: String(pid), time: () => <For since={startedAt} /> })}</dd>
        </div>
      </dl>
    </section>
  );
}
