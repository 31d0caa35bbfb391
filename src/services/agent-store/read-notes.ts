/** All notes in an agent's memory folder on disk, including names that only a person can have given. */
import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';
import { changedAt, maxProfileBytes } from './agent-folder.ts';

export interface NoteFile {
  /** File name without `.md`; README is excluded. */
  readonly name: string;
  readonly text: string;
  /** ms since the epoch. */
  readonly updatedAt: number;
}

export function readNotes(folder: string, disk: DiskPort): Result<readonly NoteFile[]> {
  const names = disk.files(folder);
  if (!names.ok) return names;
  const notes: NoteFile[] = [];
  for (const name of names.value.filter((file) => file.endsWith('.md') && file !== 'README.md')) {
    const path = join(folder, name);
    const text = disk.readText(path, maxProfileBytes);
    if (!text.ok) return text;
    const updatedAt = changedAt(path);
    if (text.value !== null) notes.push({ name: name.slice(0, -'.md'.length), text: text.value, updatedAt });
  }
  return ok(notes);
}
