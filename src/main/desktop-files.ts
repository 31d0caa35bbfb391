/**
 * Files and folders chosen in the system's dialogs. The page requests a dialog and never passes a path; it
 * learns the path of an agent's folder and of skills only.
 */
import { z } from 'zod';
import type { BackupFacts, RestoreState } from '../contract/desktop-methods.ts';
import { type AppError, textError } from '../contract/errors.ts';
import type { Principal } from '../contract/method-row.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';

/** Each dialog resolves to `null` if it was cancelled. */
export interface FileDialogs {
  importFile(): Promise<string | null>;
  importFolder(): Promise<string | null>;
  agentFolder(): Promise<string | null>;
  skillFolder(): Promise<string | null>;
  skillFile(): Promise<string | null>;
  backupFolder(): Promise<string | null>;
  backupTarget(): Promise<string | null>;
}

/** Reads a backup, and restores it into the data folder while no host runs. */
export interface RestoreWork {
  look(from: string): Promise<Result<Omit<BackupFacts, 'path'>>>;
  restore(
    from: string,
    onProgress: (files: number, of: number) => void,
  ): Promise<Result<{ readonly files: number; readonly aside: string | null }>>;
}

export interface DesktopFilesDeps {
  readonly dialogs: FileDialogs;
  /** False for a host in another process, which this app cannot stop. */
  ownsHost(): boolean;
  ask(principal: Principal, method: string, input: unknown): Promise<Result<unknown>>;
  loadWork(): Promise<RestoreWork>;
  /** Runs `work` while the host is stopped, and starts a host again even if `work` fails. */
  withoutHost<T>(work: () => Promise<Result<T>>): Promise<Result<T>>;
}

type Saved = { readonly path: string; readonly files: number; readonly bytes: number };

export interface DesktopFiles {
  pickImport(what: 'file' | 'folder'): Promise<Result<{ transferId: string | null }>>;
  pickFolder(): Promise<Result<{ path: string | null }>>;
  pickSkills(what: 'folder' | 'file'): Promise<Result<{ path: string | null }>>;
  saveBackup(): Promise<Result<{ saved: Saved | null }>>;
  pickBackup(): Promise<Result<{ backup: BackupFacts | null }>>;
  restore(): Promise<Result<object>>;
  restoreState(): RestoreState | null;
}

/** The principal that may pass paths: the operator chose them in the dialog. */
const person = { kind: 'owner-cli' } as const;
const heldSchema = z.object({ transferId: z.string() });
const savedSchema = z.object({ path: z.string(), files: z.number(), bytes: z.number() });

const broken = (): Result<never> => err(textError('internal', t('shell.startedBug')));

export function createDesktopFiles(deps: DesktopFilesDeps): DesktopFiles {
  let picked: string | null = null;
  let state: RestoreState | null = null;
  let asking = false;

  /** Allows one dialog at a time, because a second click would open another one behind it. */
  async function alone<T>(work: () => Promise<Result<T>>, nothing: T): Promise<Result<T>> {
    if (asking) return ok(nothing);
    asking = true;
    try {
      return await work();
    } finally {
      asking = false;
    }
  }

  async function held(path: string | null): Promise<Result<{ transferId: string | null }>> {
    if (path === null) return ok({ transferId: null });
    const answer = await deps.ask(person, 'bundles.hold', { path });
    if (!answer.ok) return answer;
    const parsed = heldSchema.safeParse(answer.value);
    return parsed.success ? ok(parsed.data) : broken();
  }

  async function save(): Promise<Result<{ saved: Saved | null }>> {
    const path = await deps.dialogs.backupTarget();
    if (path === null) return ok({ saved: null });
    const answer = await deps.ask(person, 'backup.make', { path });
    if (!answer.ok) return answer;
    const parsed = savedSchema.safeParse(answer.value);
    return parsed.success ? ok({ saved: parsed.data }) : broken();
  }

  async function pick(): Promise<Result<{ backup: BackupFacts | null }>> {
    picked = null;
    const path = await deps.dialogs.backupFolder();
    if (path === null) return ok({ backup: null });
    const facts = await (await deps.loadWork()).look(path);
    if (!facts.ok) return facts;
    picked = path;
    return ok({ backup: { path, ...facts.value } });
  }

  async function run(from: string): Promise<void> {
    const work = await deps.loadWork();
    const tell = (files: number, of: number): void => {
      state = { type: 'running', files, of };
    };
    const done = await deps.withoutHost(async () => {
      const restored = await work.restore(from, tell);
      // Set before the page reloads, because the page asks only once.
      if (restored.ok) state = { type: 'done', files: restored.value.files, aside: restored.value.aside };
      return restored;
    });
    if (!done.ok) state = { type: 'failed', error: done.error };
  }

  const failed = (cause: unknown): void => {
    const where = cause instanceof Error ? cause.message : String(cause);
    const error: AppError = textError('internal', t('shell.restoreBug'), { where });
    state = { type: 'failed', error };
  };

  return {
    pickImport: (what) =>
      alone(async () => held(await deps.dialogs[what === 'file' ? 'importFile' : 'importFolder']()), {
        transferId: null,
      }),
    pickFolder: () => alone(async () => ok({ path: await deps.dialogs.agentFolder() }), { path: null }),
    pickSkills: (what) =>
      alone(async () => ok({ path: await deps.dialogs[what === 'file' ? 'skillFile' : 'skillFolder']() }), {
        path: null,
      }),
    saveBackup: () => alone(save, { saved: null }),
    pickBackup: () => alone(pick, { backup: null }),
    async restore() {
      const from = picked;
      if (from === null || state?.type === 'running') {
        return err(textError('conflict', t('shell.pickBackupFirst')));
      }
      if (!deps.ownsHost()) return err(textError('conflict', t('shell.otherHasFolder')));
      picked = null;
      state = { type: 'running', files: 0, of: 0 };
      void run(from).catch(failed);
      return ok({});
    },
    restoreState: () => state,
  };
}
