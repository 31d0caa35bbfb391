/** One file as it is written on: checked while one types, saved when nobody else has changed it, kept when one leaves. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { say, speak } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { belowFolder } from './use-files.ts';

type Checked = MethodOutput<'workflows.check'>;

/** Until somebody who types pauses: ms. */
const typingMs = 300;

/** Text that is not saved, by file, and what it was written over. Leaving a page does not lose it. */
interface Unsaved {
  readonly text: string;
  readonly was: string;
}
const useUnsaved = create<Readonly<Record<string, Unsaved>>>(() => ({}));
const keep = (path: string, unsaved: Unsaved | null): void =>
  useUnsaved.setState(
    ({ [path]: _, ...rest }) => (unsaved === null ? rest : { ...rest, [path]: unsaved }),
    true,
  );

export interface DraftView {
  readonly path: string;
  readonly text: string;
  /** The file as it was read or saved last; `hash` of that text. */
  readonly saved: { readonly text: string; readonly hash: string } | null;
  readonly dirty: boolean;
  readonly checked: Checked | null;
  readonly checking: boolean;
  readonly readError: AppError | null;
  readonly saveError: AppError | null;
  readonly saving: boolean;
  /** Somebody else has changed the file since. */
  readonly conflict: boolean;
  change(text: string): void;
  save(): Promise<boolean>;
  /** Writes over what somebody else wrote. */
  overwrite(): Promise<void>;
  /** Takes the file as it is now and forgets what was typed. */
  reload(): Promise<void>;
  /** Whether what is shown is what the file says. If not, it is shown now, or, with text that is not saved, is a conflict. */
  isCurrent(): Promise<boolean>;
}

export function useDraft(path: string, folder: string | null): DraftView {
  const { link } = useReplica();
  const unsaved = useUnsaved((all) => all[path] ?? null);
  const [saved, setSaved] = useState<DraftView['saved']>(null);
  const [readError, setReadError] = useState<AppError | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const text = unsaved?.text ?? saved?.text ?? '';
  const read = useCallback(async () => {
    const result = await link.call('workflows.read', { file: path });
    setReadError(result.ok ? null : result.error);
    if (!result.ok) return null;
    const { text: found, hash } = result.value;
    setSaved({ text: found, hash });
    setChecked((known) => known ?? result.value);
    return { found, hash };
  }, [link, path]);
  useEffect(() => void read(), [read]);
  const checking = useChecks({ path, text, known: saved !== null, onChecked: setChecked });
  const was = unsaved?.was ?? saved?.hash ?? null;
  const elsewhere = useElsewhere({ read, was, unsaved: unsaved !== null });
  const { saving, saveError, conflict, write, clear } = useSave(path, folder, (stored) => {
    setSaved(stored);
    keep(path, null);
    elsewhere.clear();
  });
  return {
    ...{ path, text, saved, checked, checking, readError, saving, saveError },
    conflict: conflict || elsewhere.changed,
    dirty: saved !== null && text !== saved.text,
    change: (next) => {
      if (saved !== null) keep(path, next === saved.text ? null : { text: next, was: was ?? saved.hash });
    },
    save: () => write(text, was),
    overwrite: async () => {
      const now = await read();
      if (now !== null) await write(text, now.hash);
    },
    reload: async () => {
      if ((await read()) === null) return;
      keep(path, null);
      clear();
      elsewhere.clear();
      speak(t('workflows.reloaded'));
    },
    isCurrent: elsewhere.isCurrent,
  };
}

interface ElsewhereOf {
  read(): Promise<{ readonly hash: string } | null>;
  /** Hash of the file that is shown or written on; null: none is yet. */
  readonly was: string | null;
  /** There is text that is not saved. */
  readonly unsaved: boolean;
}

/** Whether somebody else has changed the file, looked at when the window comes back and before anything runs. */
function useElsewhere({ read, was, unsaved }: ElsewhereOf) {
  const [changed, setChanged] = useState(false);
  const isCurrent = async (): Promise<boolean> => {
    const now = was === null ? null : await read();
    if (now === null) return false;
    const same = now.hash === was;
    if (unsaved) setChanged(!same);
    else if (!same) say(t('workflows.changedElsewhere'));
    return same;
  };
  const latest = useRef(isCurrent);
  latest.current = isCurrent;
  useEffect(() => {
    const look = (): void => void latest.current();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);
  return { changed, isCurrent, clear: () => setChanged(false) };
}

interface ChecksOf {
  readonly path: string;
  readonly text: string;
  readonly known: boolean;
  onChecked(checked: Checked): void;
}

/** Only the answer to the newest text counts. */
function useChecks({ path, text, known, onChecked }: ChecksOf): boolean {
  const { link } = useReplica();
  const [checking, setChecking] = useState(false);
  const first = useRef(true);
  useEffect(() => {
    if (!known) return;
    let left = false;
    setChecking(true);
    const wait = first.current ? 0 : typingMs;
    first.current = false;
    const timer = setTimeout(async () => {
      const result = await link.call('workflows.check', { text, file: path });
      if (left) return;
      setChecking(false);
      if (result.ok) onChecked(result.value);
    }, wait);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [link, path, text, known, onChecked]);
  return checking;
}

type Stored = NonNullable<DraftView['saved']>;

function useSave(path: string, folder: string | null, onSaved: (stored: Stored) => void) {
  const { link } = useReplica();
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const clear = (): void => setError(null);
  const write = async (text: string, was: string | null): Promise<boolean> => {
    if (folder === null || saving) return false;
    setSaving(true);
    setError(null);
    const result = await link.call('workflows.save', { file: belowFolder(folder, path), text, was });
    setSaving(false);
    if (!result.ok) {
      setError(result.error);
      return false;
    }
    onSaved({ text, hash: result.value.hash });
    say(t('workflows.saved'));
    return true;
  };
  const conflict = error?.code === 'conflict';
  return { saving, conflict, saveError: conflict ? null : error, write, clear };
}
