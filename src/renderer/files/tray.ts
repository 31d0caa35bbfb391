/** Files that wait above a composer until their message is sent. Leaving the room does not lose them. */

import { create } from 'zustand';
import { maxFileBytes, maxFilesPerMessage } from '../../contract/file-methods.ts';
import { t } from '../../language/texts.ts';
import { bytesWords } from '../words/amounts.ts';
import { visibleLine } from '../words/visible-text.ts';

export interface Picked {
  readonly key: number;
  readonly file: File;
  readonly name: string;
  /** A small picture of it, drawn here; empty where it is none that is shown. */
  readonly thumb: string;
  /** Bytes at the host; null before it leaves. */
  readonly sent: number | null;
}

interface Tray {
  readonly files: readonly Picked[];
  /** Why something that was dropped is not among them. */
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

/** What is said of files that cannot go; empty when all can. */
export function refusalOf(
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

/** Puts in what fits, and says what does not. Returns the new ones. */
export function addFiles(place: string, files: readonly File[]): readonly Picked[] {
  const { files: held } = trayOf(place);
  const room = maxFilesPerMessage - held.length;
  const added = files
    .filter((file) => file.size <= maxFileBytes)
    .slice(0, room)
    .map((file) => ({ key: ++lastKey, file, name: file.name || 'file', thumb: '', sent: null }));
  change(place, { files: [...held, ...added], refused: refusalOf(files, room) });
  return added;
}

export const refuse = (place: string, refused: string): void => change(place, { refused });
