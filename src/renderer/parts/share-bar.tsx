import { t } from '../../language/texts.ts';

const width = 300;
/** The scale goes a little beyond the limit, so that its mark can be seen. */
const scale = (share: number): number => Math.min(share, 1.15) / 1.15;

interface BarOf {
  readonly name: string;
  /** 1: all that may be used. */
  readonly share: number;
  /** How much of what, for eyes and for readers. */
  readonly words: string;
}

/** How much of a limit is used, with marks at 80 % and at the limit. */
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
