import { type ClipboardEvent, type DragEvent, useCallback, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import { t } from '../../language/texts.ts';
import { useReplica } from '../state/subscriptions.ts';
import { thumbOf } from './draw-picture.ts';
import { holdsFiles } from './stray-drops.ts';
import { addFiles, refuseFile, setPicked, trayOf } from './tray.ts';
import { uploadAll } from './upload.ts';

/** Adds files to the composer of a room or thread and draws their thumbnails asynchronously. */
export function takeFiles(place: string, files: readonly File[]): void {
  for (const picked of addFiles(place, files))
    void thumbOf(picked.file).then((thumb) => {
      if (thumb !== '') setPicked(place, picked.key, { thumb });
    });
}

const folders = (transfer: DataTransfer): boolean =>
  [...transfer.items].some((item) => item.webkitGetAsEntry?.()?.isDirectory === true);

/**
 * Accepts drops anywhere in the room. Counts enter and leave events, because each nested element fires its
 * own pair.
 */
export function useDrop(place: string) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const at = (event: DragEvent, step: number): void => {
    if (!holdsFiles(event.dataTransfer)) return;
    event.preventDefault();
    depth.current = step === 0 ? depth.current : Math.max(0, depth.current + step);
    setOver(depth.current > 0);
  };
  return {
    over,
    props: {
      onDragEnter: (event: DragEvent) => at(event, 1),
      onDragOver: (event: DragEvent) => at(event, 0),
      onDragLeave: (event: DragEvent) => at(event, -1),
      onDrop: (event: DragEvent) => {
        if (!holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        if (folders(event.dataTransfer)) refuseFile(place, t('files.folder'));
        else takeFiles(place, [...event.dataTransfer.files]);
      },
    },
  };
}

/**
 * Attaches files from the clipboard. If it holds text too, as some programs do, the paste goes to the text
 * field.
 */
export function pasteInto(place: string, event: ClipboardEvent): void {
  const files = [...event.clipboardData.files];
  if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
  event.preventDefault();
  takeFiles(place, files);
}

export interface Sending {
  readonly busy: boolean;
  readonly error: AppError | null;
  /** Resolves to the ids of all files once the host has them. */
  run(): Promise<Result<readonly string[]>>;
  stop(): void;
}

export function useUpload(place: string): Sending {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const going = useRef<AbortController | null>(null);
  const run = useCallback(async () => {
    const { files } = trayOf(place);
    const control = new AbortController();
    going.current = control;
    setBusy(true);
    setError(null);
    const result = await uploadAll(link, files, control.signal, (index, sent) => {
      const picked = files[index];
      if (picked !== undefined) setPicked(place, picked.key, { sent });
    });
    setBusy(false);
    if (!result.ok) {
      for (const { key } of files) setPicked(place, key, { sent: null });
      if (result.error.code !== 'cancelled') setError(result.error);
    }
    return result;
  }, [link, place]);
  return { busy, error, run, stop: () => going.current?.abort() };
}
