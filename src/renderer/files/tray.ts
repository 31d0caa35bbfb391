/** Files above a composer that wait for their message to be sent. They survive leaving the room. */

import { create } from 'zustand';
import { maxFileBytes, maxFilesPerMessage } from '../../contract/file-methods.ts';
import { t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { visibleLine } from '../format/visible-text.ts';

export interface Picked {
  readonly key: number;
  readonly file: File;
  readonly name: string;
  /** `data:` URL of a thumbnail drawn here, or empty if the file is not a picture that may be shown. */
  readonly thumb: string;
  /** Bytes sent to the host; `null` before the upload starts. */
  readonly sent: number | null;
}

interface Tray {
  readonly files: readonly Picked[];
  /** Why some dropped files were not added; empty if all were. */
  readonly refused: string;
}

const empty: Tray = { files: [], refused: '' };
let lastKey = 0;

const useTrays = create<Readonly<Record<string, Tray>>>(() => ({}));

export const useTray = (place: string): Tray => useTrays((all) => all[place] ?? empty);
export const trayOf = (place: string): Tray => useTrays.getState()[place] ?? empty;

const change = (place: string, next: Partial<Tray>): void =>
  useTrays.setState((all) => ({ [place]: { ...(all[place] ?? empty), ...next } }));

export const clearTray = (place: string): void => change(place, empty);

export const dropPicked = (place: string, key: number): void =>
  change(place, { files: trayOf(place).files.filter((one) => one.key !== key), refused: '' });

export const setPicked = (place: string, key: number, next: Partial<Picked>): void =>
  change(place, { files: trayOf(place).files.map((one) => (one.key === key ? { ...one, ...next } : one)) });

/** Explains which files cannot be attached; empty if all fit. */
export function attachmentRefusal(
  files: readonly { readonly name: string; readonly size: number }[],
  room: number,
): string {
  const large = files.filter((file) => file.size > maxFileBytes);
  const fitting = files.length - large.length;
  const over = Math.max(0, fitting - room);
  const limit = bytesWords(maxFileBytes);
  const said = large.map((file) => t('files.tooLarge', { name: visibleLine(file.name), limit }));
  if (over > 0) said.push(t('files.tooMany', { most: maxFilesPerMessage, count: over }));
  return said.join(' ');
}

/** Adds the files that fit and records the refusal of the others. Returns the added ones. */
export function addFiles(place: string, files: readonly File[]): readonly Picked[] {
  const { files: held } = trayOf(place);
  const room = maxFilesPerMessage - held.length;
  const added = files
    .filter((file) => file.size <= maxFileBytes)
    .slice(0, room)
    .map((file) => ({ key: ++lastKey, file, name: file.name || 'file', thumb: '', sent: null }));
  change(place, { files: [...held, ...added], refused: attachmentRefusal(files, room) });
  return added;
}

export const refuseFile = (place: string, refused: string): void => change(place, { refused });
