import { t } from '../../language/texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import type { Drawn } from './draw-picture.ts';

interface PictureOf {
  readonly name: string;
  readonly picture: Drawn;
  onSave(): void;
  onClose(): void;
}

export function PictureDialog({ name, picture, onSave, onClose }: PictureOf) {
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
