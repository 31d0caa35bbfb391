import { useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { localize, t } from '../../language/texts.ts';
import { clause } from '../format/clause.ts';
import { Icon } from '../mark/icon.tsx';
import { act } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';

/** Delivery state of an own message that has not arrived yet, with a retry. */
export function Delivery({ message }: { message: ChatMessage }) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  if (!message.own || message.delivery === 'received') return null;
  if (message.delivery === 'sent')
    return message.deliveryError === null ? null : (
      <p className="delivery">{localize(message.deliveryError)}</p>
    );
  if (message.delivery === 'pending') return <p className="delivery">{t('chat.onItsWay')}</p>;
  const again = async (): Promise<void> => {
    setBusy(true);
    await act(link, 'chat.retry', { message: message.id });
    setBusy(false);
  };
  const why = clause(localize(message.deliveryError ?? '')) || t('chat.serverRefused');
  return (
    <p className="delivery is-failed">
      <Icon name="warning" size={14} />
      <span>
        {message.attachments.length === 0 ? t('chat.notSent', { why }) : t('chat.notSentFiles', { why })}
      </span>
      <button type="button" className="link" disabled={busy} onClick={() => void again()}>
        {t('chat.sendAgain')}
      </button>
    </p>
  );
}
