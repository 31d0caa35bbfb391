import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { useReplica } from '../state/subscriptions.ts';
import { type Drawn, drawPicture } from './draw-picture.ts';
import { fetchFile } from './fetch-file.ts';
import { looksLikePicture, maxPictureBytes } from './image-kind.ts';
import { createInlinePictures, type InlinePicturesDeps, onceInView } from './inline-pictures.ts';

/** Longest side of the drawn picture in pixels: twice its largest size on screen. */
const longestSide = 640;

interface PictureOf {
  readonly message: string;
  readonly index: number;
  readonly file: ChatMessage['attachments'][number];
}

const pictures = createInlinePictures();

/** Fetches and draws a picture once its place comes into view; `null` until then, and if it cannot be shown. */
function useInView(place: RefObject<HTMLElement | null>, { message, index, file }: PictureOf): Drawn | null {
  const { link } = useReplica();
  const isWanted = looksLikePicture(file) && file.sent === null;
  const [drawn, setDrawn] = useState(() => (isWanted ? (pictures.known({ message, index }) ?? null) : null));
  const isDrawn = drawn !== null;
  useEffect(() => {
    if (!isWanted || isDrawn || place.current === null) return;
    const going = new AbortController();
    const deps: InlinePicturesDeps = {
      fetch: (one, signal) =>
        fetchFile(link, one, { limit: maxPictureBytes, signal, progress: () => undefined }),
      draw: async (blob) => drawPicture(new Uint8Array(await blob.arrayBuffer()), longestSide),
    };
    const stop = onceInView(place.current, async () => {
      const picture = await pictures.load(deps, { message, index }, going.signal);
      if (picture && !going.signal.aborted) setDrawn(picture);
      return picture !== undefined;
    });
    return () => {
      stop();
      going.abort();
    };
  }, [link, message, index, isWanted, isDrawn, place]);
  return drawn;
}

interface InlineOf extends PictureOf {
  readonly name: string;
  onOpen(): void;
}

/** Picture of a message at a bounded size; a click opens it large. Without a picture only the file row remains. */
export function InlinePicture({ name, onOpen, ...picture }: InlineOf) {
  const place = useRef<HTMLSpanElement>(null);
  const drawn = useInView(place, picture);
  return (
    <span ref={place} className={drawn === null ? 'inline-place' : 'inline-place is-drawn'}>
      {drawn !== null && (
        <button
          type="button"
          className="inline-picture"
          aria-label={t('files.openPicture', { name })}
          onClick={onOpen}
        >
          <img src={drawn.url} alt={name} width={drawn.width} height={drawn.height} />
        </button>
      )}
    </span>
  );
}
