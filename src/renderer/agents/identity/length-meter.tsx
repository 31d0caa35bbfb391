import { useId } from 'react';
import { t } from '../../../language/texts.ts';

/** Above `longTokens` the soul adds a noticeable cost to every turn; `mostTokens` is the end of the scale. */
const longTokens = 1_500;
const mostTokens = 4_000;

/** Shows a soul's estimated tokens (four characters each) and the cost for every turn. */
export function LengthMeter({ text }: { text: string }) {
  const id = useId();
  const characters = [...text].length;
  const tokens = Math.ceil(characters / 4);
  return (
    <span className="length-meter">
      <meter
        min={0}
        max={mostTokens}
        high={longTokens}
        optimum={0}
        value={Math.min(tokens, mostTokens)}
        aria-label={t('identity.meter')}
        aria-describedby={id}
      />
      <span className="soft" id={id}>
        {t('identity.length', { characters, tokens })}
        {tokens > longTokens && <strong> {t('identity.longSoul')}</strong>}
      </span>
    </span>
  );
}
