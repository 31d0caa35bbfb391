import { useEffect, useRef, useState } from 'react';
import { type AppError, textError } from '../../contract/errors.ts';
import { maxFileBytes } from '../../contract/file-methods.ts';
import type { ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { useReplica } from '../state/subscriptions.ts';
import { type Drawn, drawPicture } from './draw-picture.ts';
import { fetchFile, saveAs } from './fetch-file.ts';
import { maxPictureBytes } from './image-kind.ts';

interface AttachmentOf {
  readonly message: string;
  readonly index: number;
  readonly file: ChatMessage['attachments'][number];
}

export interface AttachmentWork {
  /** Bytes received; `null` if no fetch is running. */
  readonly received: number | null;
  readonly error: AppError | null;
  readonly picture: Drawn | null;
  readonly open: boolean;
  show(): void;
  save(): void;
  stop(): void;
  close(): void;
}

const longestSide = 1600;
const noPicture = (): AppError => textError('unsupported', t('files.noPicture'));

export function useAttachment({ message, index, file }: AttachmentOf): AttachmentWork {
  const { link } = useReplica();
  const [received, setReceived] = useState<number | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [picture, setPicture] = useState<Drawn | null>(null);
  const [open, setOpen] = useState(false);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);
  const get = async (limit: number): Promise<Blob | null> => {
    const control = new AbortController();
    going.current = control;
    setError(null);
    setReceived(0);
    const found = await fetchFile(
      link,
      { message, index },
      { limit, signal: control.signal, progress: setReceived },
    );
    setReceived(null);
    if (found.ok) return found.value;
    if (found.error.code !== 'cancelled') setError(found.error);
    return null;
  };
  const show = async (): Promise<void> => {
    if (picture !== null) return setOpen(true);
    const content = await get(maxPictureBytes);
    if (content === null) return;
    const drawn = await drawPicture(new Uint8Array(await content.arrayBuffer()), longestSide);
    setPicture(drawn);
    setOpen(drawn !== null);
    if (drawn === null) setError(noPicture());
  };
  const save = async (): Promise<void> => {
    const content = await get(maxFileBytes);
    if (content !== null) saveAs(file.filename, content);
  };
  return {
    received,
    error,
    picture,
    open,
    show: () => void show(),
    save: () => void save(),
    stop: () => going.current?.abort(),
    close: () => setOpen(false),
  };
}
