import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { useReplica } from '../state/subscriptions.ts';
import { type Drawn, drawPicture } from './draw-picture.ts';
import { fetchFile } from './fetch-file.ts';
import { looksLikePicture, maxPictureBytes } from './image-kind.ts';

/** Longest side of the drawn picture in pixels: twice its largest size on screen. */
const longestSide = 640;

interface PictureOf {
  readonly message: string;
  readonly index: number;
  readonly file: ChatMessage['attachments'][number];
}

/** Fetches and draws a picture once its place comes into view; `null` until then, and if it cannot be shown. */
function useInView(place: RefObject<HTMLElement | null>, { message, index, file }: PictureOf): Drawn | null {
  const { link } = useReplica();
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const isWanted = looksLikePicture(file) && file.sent === null;
  useEffect(() => {
    if (!isWanted || place.current === null) return;
    const going = new AbortController();
    const { signal } = going;
    const draw = async (): Promise<void> => {
      const found = await fetchFile(
        link,
        { message, index },
        { limit: maxPictureBytes, signal, progress: () => undefined },
      );
      if (!found.ok || signal.aborted) return;
      const picture = await drawPicture(new Uint8Array(await found.value.arrayBuffer()), longestSide);
      if (!signal.aborted) setDrawn(picture);
    };
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      void draw();
    });
    watch.observe(place.current);
    return () => {
      watch.disconnect();
      going.abort();
    };
  }, [link, message, index, isWanted, place]);
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
