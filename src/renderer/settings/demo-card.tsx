import { t } from '../../language/texts.ts';
import { useHost } from '../state/subscriptions.ts';
import { RemoveDemo } from './remove-demo.tsx';

export function DemoCard() {
  const demo = useHost((host) => host?.demo ?? false);
  if (!demo) return null;
  return (
    <section className="card stack" aria-labelledby="demo-title">
      <h2 id="demo-title">{t('upkeep.demo')}</h2>
      <p>{t('upkeep.demoText')}</p>
      <div>
        <RemoveDemo />
      </div>
    </section>
  );
}
