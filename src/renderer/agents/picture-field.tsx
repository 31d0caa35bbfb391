import { type ChangeEvent, type ReactNode, useId, useState } from 'react';
import { t } from '../../language/texts.ts';

interface PictureOf {
  /** Shown until another picture is chosen. */
  readonly now: ReactNode;
  readonly chosen: string | null;
  /** Changes the shape: agents have another one than people. */
  readonly agent?: boolean;
  onChoose(base64: string): void;
}

/** Previews the chosen picture before it is saved. */
export function PictureField({ now, chosen, agent = false, onChoose }: PictureOf) {
  const id = useId();
  const [refused, setRefused] = useState(false);
  const take = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = target.files?.[0];
    if (file === undefined) return;
    const base64 = await shrinkPicture(file);
    setRefused(base64 === null);
    if (base64 !== null) onChoose(base64);
  };
  return (
    <div className="field picture-field">
      {chosen === null ? (
        now
      ) : (
        <span className={`avatar${agent ? ' is-agent' : ''}`}>
          <img src={`data:image/png;base64,${chosen}`} alt={t('identity.chosenPicture')} />
        </span>
      )}
      <div>
        <label htmlFor={id}>{t('identity.picture')}</label>
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          aria-describedby={`${id}-hint`}
          onChange={(event) => void take(event)}
        />
        <p className="field-hint" id={`${id}-hint`} role={refused ? 'alert' : undefined}>
          {refused ? t('identity.notPicture') : t('identity.pictureHint')}
        </p>
      </div>
    </div>
  );
}

/** Pixels of the square PNG that a picture becomes. */
const side = 256;

/** Crops the centre and returns the PNG in base64, or `null` if the file cannot be decoded. */
async function shrinkPicture(file: Blob): Promise<string | null> {
  const image = await createImageBitmap(file).catch(() => null);
  if (image === null) return null;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const cut = Math.min(image.width, image.height);
  const [x, y] = [(image.width - cut) / 2, (image.height - cut) / 2];
  const pen = canvas.getContext('2d');
  if (pen === null) return null;
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, x, y, cut, cut, 0, 0, side, side);
  image.close();
  return canvas.toDataURL('image/png').split(',')[1] ?? null;
}
