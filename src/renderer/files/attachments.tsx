import type { ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { hidden } from '../parts/rich.tsx';
import type { Drawn } from './draw-picture.ts';
import { looksLikePicture } from './image-kind.ts';
import { InlinePicture } from './inline-picture.tsx';
import { Progress } from './progress.tsx';
import { type AttachmentWork, useAttachment } from './use-attachment.ts';

type Attachment = ChatMessage['attachments'][number];

/** Files of a message. Pictures in view are fetched; other files only on request. */
export function Attachments({ message }: { message: ChatMessage }) {
  if (message.attachments.length === 0) return null;
  return (
    <ul className="attachments" aria-label={t('files.files')}>
      {message.attachments.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place among the files is what names one
        <AttachmentRow key={index} message={message.id} index={index} file={file} />
      ))}
    </ul>
  );
}

function AttachmentRow({ message, index, file }: { message: string; index: number; file: Attachment }) {
  const name = visibleLine(file.filename);
  const work = useAttachment({ message, index, file });
  return (
    <li className="file-chip is-sent">
      {looksLikePicture(file) && (
        <InlinePicture message={message} index={index} file={file} name={name} onOpen={work.show} />
      )}
      <span className="file-thumb">
        {work.picture === null ? (
          <Icon name={looksLikePicture(file) ? 'picture' : 'file'} size={18} />
        ) : (
          <img src={work.picture.url} alt="" />
        )}
      </span>
      <span className="file-words">
        <bdi className="file-name" title={name}>
          {name}
        </bdi>
        <span className="soft">{bytesWords(file.size)}</span>
        <State file={file} work={work} name={name} />
      </span>
      {file.sent === null && <Actions file={file} work={work} name={name} />}
      {work.open && work.picture !== null && (
        <PictureDialog name={name} picture={work.picture} onSave={work.save} onClose={work.close} />
      )}
    </li>
  );
}

function State({ file, work, name }: { file: Attachment; work: AttachmentWork; name: string }) {
  if (file.sent !== null)
    return <Progress label={t('files.sending', { name })} done={file.sent} of={file.size} />;
  if (work.received !== null)
    return <Progress label={t('files.fetching', { name })} done={work.received} of={file.size} />;
  return <ErrorNote error={work.error} />;
}

/** Buttons keep their position during a fetch, so that keyboard focus is not lost. */
function Actions({ file, work, name }: { file: Attachment; work: AttachmentWork; name: string }) {
  const busy = work.received !== null;
  return (
    <span className="file-actions">
      {looksLikePicture(file) && (
        <button
          type="button"
          className="button is-small"
          aria-disabled={busy}
          onClick={() => {
            if (!busy) work.show();
          }}
        >
          {t.rich('files.show', { name, hidden })}
        </button>
      )}
      <IconButton
        icon={busy ? 'stop' : 'download'}
        label={busy ? t('files.stopFetching', { name }) : t('files.downloadName', { name })}
        title={busy ? t('files.stop') : t('files.download')}
        onPress={busy ? work.stop : work.save}
      />
    </span>
  );
}

interface PictureOf {
  readonly name: string;
  readonly picture: Drawn;
  onSave(): void;
  onClose(): void;
}

function PictureDialog({ name, picture, onSave, onClose }: PictureOf) {
  return (
    <Dialog title={name} wide onClose={onClose}>
      <img className="picture" src={picture.url} alt={name} width={picture.width} height={picture.height} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onSave}>
          {t('files.download')}
        </button>
      </footer>
    </Dialog>
  );
}
