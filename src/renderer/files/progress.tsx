import { t } from '../../language/texts.ts';

export function Progress({ label, done, of }: { label: string; done: number; of: number }) {
  const percent = of === 0 ? 100 : Math.min(100, Math.round((done / of) * 100));
  return (
    <progress className="progress" aria-label={label} value={percent} max={100}>
      {t('files.percent', { n: percent })}
    </progress>
  );
}
