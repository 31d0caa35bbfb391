import { useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { Icon } from '../mark/icon.tsx';
import { act } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';

/** What became of an own message that is not at the server, and the way to try once more. */
export function Delivery({ message }: { message: ChatMessage }) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  if (!message.own || message.delivery === 'sent' || message.delivery === 'received') return null;
  if (message.delivery === 'pending') return <p className="delivery">Kept here, on its way to the server…</p>;
  const again = async (): Promise<void> => {
    setBusy(true);
    await act(link, 'chat.retry', { message: message.id });
    setBusy(false);
  };
  const kept = message.attachments.length === 0 ? 'Your text is kept here.' : 'Text and files are kept here.';
  return (
    <p className="delivery is-failed">
      <Icon name="warning" size={14} />
      <span>
        Not sent: {message.deliveryError ?? 'the server refused it'}. {kept}
      </span>
      <button type="button" className="link" disabled={busy} onClick={() => void again()}>
        Send again
      </button>
    </p>
  );
}
