/**
 * Edits one file: checks it while the operator types, saves it unless it changed on disk, keeps unsaved text.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { showNotice, speak, type UnsavedText, useScreen } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { belowFolder } from './use-files.ts';

type Checked = MethodOutput<'workflows.check'>;

/** Debounce of typing, in ms. */
const typingMs = 300;

const keep = (path: string, unsaved: UnsavedText | null): void =>
  useScreen.setState(({ unsavedWorkflows: { [path]: _, ...rest } }) => ({
    unsavedWorkflows: unsaved === null ? rest : { ...rest, [path]: unsaved },
  }));

/** The unsaved text now, which may be newer than the rendered one. */
const latestOf = (path: string): UnsavedText | undefined => useScreen.getState().unsavedWorkflows[path];

/** Drops the unsaved text, unless the operator typed on while it was saved. */
function keepTypedSince(path: string, { text, hash }: Stored): void {
  const typed = latestOf(path)?.text;
  keep(path, typed === undefined || typed === text ? null : { text: typed, was: hash });
}

export interface DraftView {
  readonly path: string;
  readonly text: string;
  /** Last read or saved text with its hash. */
  readonly saved: { readonly text: string; readonly hash: string } | null;
  readonly dirty: boolean;
  readonly checked: Checked | null;
  readonly checking: boolean;
  readonly readError: AppError | null;
  readonly saveError: AppError | null;
  readonly saving: boolean;
  /** The file changed on disk since then. */
  readonly conflict: boolean;
  change(text: string): void;
  save(): Promise<boolean>;
  /** Saves over the changes on disk. */
  overwrite(): Promise<void>;
  /** Reads the file again and drops the unsaved text. */
  reload(): Promise<void>;
  /**
   * Checks that the shown text is the file's. If not, it reloads, or reports a conflict if text is unsaved.
   */
  isCurrent(): Promise<boolean>;
}

export function useDraft(path: string, folder: string | null): DraftView {
  const { link } = useReplica();
  const unsaved = useScreen(({ unsavedWorkflows }) => unsavedWorkflows[path] ?? null);
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
    keepTypedSince(path, stored);
    elsewhere.clear();
  });
  return {
    path,
    text,
    saved,
    checked,
    checking,
    readError,
    saving,
    saveError,
    conflict: conflict || elsewhere.changed,
    dirty: saved !== null && text !== saved.text,
    change: (next) => {
      if (saved !== null) keep(path, next === saved.text ? null : { text: next, was: was ?? saved.hash });
    },
    save: () => {
      const latest = latestOf(path);
      return write(latest?.text ?? text, latest?.was ?? was);
    },
    overwrite: async () => {
      const now = await read();
      if (now !== null) await write(latestOf(path)?.text ?? text, now.hash);
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
  /** Hash of the edited file, or `null` if none was read yet. */
  readonly was: string | null;
  readonly unsaved: boolean;
}

/** Detects changes on disk when the window gets the focus and before a run starts. */
function useElsewhere({ read, was, unsaved }: ElsewhereOf) {
  const [changed, setChanged] = useState(false);
  const isCurrent = async (): Promise<boolean> => {
    const now = was === null ? null : await read();
    if (now === null) return false;
    const same = now.hash === was;
    if (unsaved) setChanged(!same);
    else if (!same) showNotice(t('workflows.changedElsewhere'));
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

/** Drops the answers to older text. */
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
    showNotice(t('workflows.saved'));
    return true;
  };
  const conflict = error?.code === 'conflict';
  return { saving, conflict, saveError: conflict ? null : error, write, clear };
}
