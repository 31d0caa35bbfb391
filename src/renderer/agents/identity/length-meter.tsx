import { useId } from 'react';
import { t } from '../../../language/texts.ts';

/** Tokens of a soul that every turn pays for without anybody noticing, and the end of the scale. */
const longTokens = 1_500;
const mostTokens = 4_000;

/** How long a soul is, and what that means for every turn. */
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
