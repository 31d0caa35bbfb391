import { t } from '../../language/texts.ts';
import { exactParts } from '../format/visible-text.ts';

/** Untrusted text character by character: invisible and reordering code points are shown as marked codes. */
export function ExactText({ text }: { text: string }) {
  let at = 0;
  return (
    <bdo dir="ltr" className="exact">
      {exactParts(text).map((part) => {
        const key = at;
        at += part.text.length;
        return part.code ? (
          <mark key={key} className="code-point" title={t('parts.unseen')}>
            {part.text}
          </mark>
        ) : (
          <span key={key}>{part.text}</span>
        );
      })}
    </bdo>
  );
}
