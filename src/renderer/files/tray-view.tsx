import { t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Progress } from './progress.tsx';
import { dropPicked, type Picked, useTray } from './tray.ts';

/** Files of the next message with their sizes, each with a remove button. */
export function FileTray({ place, sending }: { place: string; sending: boolean }) {
  const { files, refused } = useTray(place);
  return (
    <>
      <p className="tray-refused" aria-live="polite">
        {refused}
      </p>
      {files.length > 0 && (
        <ul className="tray" aria-label={t('files.ofMessage')}>
          {files.map((picked) => (
            <Chip key={picked.key} picked={picked} place={place} sending={sending} />
          ))}
        </ul>
      )}
    </>
  );
}

function Chip({ picked, place, sending }: { picked: Picked; place: string; sending: boolean }) {
  const name = visibleLine(picked.name);
  return (
    <li className="file-chip">
      <span className="file-thumb">
        {picked.thumb === '' ? <Icon name="file" size={18} /> : <img src={picked.thumb} alt="" />}
      </span>
      <span className="file-words">
        <bdi className="file-name" title={name}>
          {name}
        </bdi>
        {picked.sent === null ? (
          <span className="soft">{bytesWords(picked.file.size)}</span>
        ) : (
          <Progress label={t('files.bringing', { name })} done={picked.sent} of={picked.file.size} />
        )}
      </span>
      {!sending && (
        <IconButton
          icon="close"
          label={t('files.takeOutName', { name })}
          title={t('files.takeOut')}
          size={14}
          onPress={() => dropPicked(place, picked.key)}
        />
      )}
    </li>
  );
}
