import { t } from '../../language/texts.ts';

const width = 300;
/** Extends the scale beyond 100 %, so that the mark at the limit is visible. */
const scale = (share: number): number => Math.min(share, 1.15) / 1.15;

interface BarOf {
  readonly name: string;
  /** Used share of the limit; 1 is the whole limit. */
  readonly share: number;
  /** Amounts in words, visible and for screen readers. */
  readonly words: string;
}

/** Use of a limit, with marks at 80 % and 100 %. */
export function ShareBar({ name, share, words }: BarOf) {
  const tone = share >= 1 ? 'is-over' : share >= 0.8 ? 'is-near' : 'is-fine';
  return (
    <div className={`budget-bar ${tone}`}>
      <p>
        <span>{name}</span>
        <span className="budget-share">{words}</span>
      </p>
      <svg
        viewBox={`0 0 ${width} 14`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('usage.bar', { name, share: words })}
      >
        <rect className="budget-ground" x={0} y={3} width={width} height={8} />
        <rect className="budget-used" x={0} y={3} width={width * scale(share)} height={8} />
        <line className="budget-mark" x1={width * scale(0.8)} x2={width * scale(0.8)} y1={0} y2={14} />
        <line className="budget-mark" x1={width * scale(1)} x2={width * scale(1)} y1={0} y2={14} />
      </svg>
    </div>
  );
}
