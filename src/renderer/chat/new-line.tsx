import { t } from '../../language/texts.ts';
import { useIsFirstNew } from './scroll-targets.ts';

/** Separator above the first message that was unread when the room was opened. */
export function NewLine({ id }: { id: string }) {
  return useIsFirstNew(id) ? (
    <p className="new-line">
      <span>{t('chat.new')}</span>
    </p>
  ) : null;
}
