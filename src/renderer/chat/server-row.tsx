import { memo, useState } from 'react';
import type { ChatMessage, ServerRow } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { Icon } from '../mark/icon.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { Name } from '../parts/name.tsx';
import { ClockTime } from '../parts/time.tsx';

const shownCiphertext = 260;

interface PairOf {
  readonly row: ServerRow;
  readonly message: ChatMessage | null;
}

/** Left: the row as the server stores it. Right: the decrypted message. */
export const ServerRowPair = memo(function ServerRowPair({ row, message }: PairOf) {
  const [whole, setWhole] = useState(false);
  const long = row.ciphertext.length > shownCiphertext;
  return (
    <article className="pair">
      <div className="sealed">
        <p className="sealed-meta">
          <Name>{`@${row.senderSlug}`}</Name>
          <ClockTime at={row.sentAt} />
          <span>{bytesWords(row.bytes)}</span>
          <span>{t('workInChat.forDevices', { count: row.recipients })}</span>
        </p>
        <p className="ciphertext">
          {whole ? row.ciphertext : row.ciphertext.slice(0, shownCiphertext)}
          {long && !whole ? '…' : ''}
        </p>
        <p className="sealed-foot">
          <span className="sealed-id">{row.envelopeId}</span>
          {long && (
            <button type="button" className="link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
              {whole ? t('workInChat.less') : t('workInChat.wholeCiphertext')}
            </button>
          )}
        </p>
      </div>
      <div className="opened">
        {message === null ? (
          <p className="soft">{t('workInChat.notShown')}</p>
        ) : (
          <>
            <p className="opened-by">
              <Icon name="lock" size={13} /> <Name>{message.senderName}</Name>
            </p>
            <div className="opened-text">
              <Markdown text={message.text} />
            </div>
          </>
        )}
      </div>
    </article>
  );
});
