/** Methods about the desktop app. The app answers them itself; a host without one rejects them. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { done, none, type PrincipalKind, row } from './method-row.ts';

/** Command line and agents have no desktop. */
const page: readonly PrincipalKind[] = ['owner-ui'];

/** Events that may cause a notification while the window has no focus. */
export const notifyKindSchema = z.enum(['approvals', 'finished', 'failed', 'mentioned']);
export type NotifyKind = z.infer<typeof notifyKindSchema>;

const notifySchema = z.record(notifyKindSchema, z.boolean());

/** `auto`: visible on both, or as the system reports. */
export const trayPanelSchema = z.enum(['auto', 'light', 'dark']);
export type TrayPanel = z.infer<typeof trayPanelSchema>;

/** `system`: the first system language with a translation. */
export const shellLanguageSchema = z.enum(['system', 'en', 'de']);
export type ShellLanguage = z.infer<typeof shellLanguageSchema>;

/** Keys that a shortcut of the whole system may end with. */
const shortcutKey = /^(?:[A-Z0-9]|F(?:[1-9]|1\d|2[0-4])|Space)$/;
const shortcutModifiers = ['CommandOrControl', 'Control', 'Super', 'Alt', 'Shift'];

/**
 * True for an accelerator of Electron with one key and at least one modifier besides Shift and Alt. With Alt
 * alone, macOS types other characters, and Windows and Linux open menus or close windows.
 */
export function isShortcut(accelerator: string): boolean {
  const parts = accelerator.split('+');
  const key = parts.pop() ?? '';
  const isKnown = parts.every((part) => shortcutModifiers.includes(part));
  return (
    isKnown &&
    new Set(parts).size === parts.length &&
    parts.some((part) => part !== 'Shift' && part !== 'Alt') &&
    shortcutKey.test(key)
  );
}

const settingsFields = {
  startAtLogin: z.boolean(),
  notify: notifySchema,
  /** Whether notifications, which a locked screen may show, contain names of files, commands and messages. */
  notifyText: z.boolean(),
  trayPanel: trayPanelSchema,
  /** Language of tray, dialogs and notifications; set by the page. */
  language: shellLanguageSchema,
  /** Minutes without input until the window locks itself; 0 for never. */
  lockAfterMin: z.number().int().min(0).max(240),
  /** Opens the quick ask from any program; empty for none. */
  askShortcut: z
    .string()
    .max(60)
    .refine((text) => text === '' || isShortcut(text), { error: 'is no shortcut' }),
  /** Checks for new versions; no effect in a build without an update address. */
  updates: z.boolean(),
};

export const desktopSettingsSchema = z.object(settingsFields);
export type DesktopSettings = z.infer<typeof desktopSettingsSchema>;

/** Progress of restoring a backup. The host stops for it and starts again in any case. */
export const restoreStateSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('running'), files: z.number().int(), of: z.number().int() }),
  /** `aside` is the path of the previous data, or `null` if there was none. */
  z.object({ type: z.literal('done'), files: z.number().int(), aside: z.string().nullable() }),
  z.object({ type: z.literal('failed'), error: appErrorSchema }),
]);
export type RestoreState = z.infer<typeof restoreStateSchema>;

const backupFactsSchema = z.object({
  path: z.string(),
  version: z.string(),
  madeAt: z.number(),
  files: z.number().int(),
  bytes: z.number(),
});
export type BackupFacts = z.infer<typeof backupFactsSchema>;

export const desktopViewSchema = z.object({
  settings: desktopSettingsSchema,
  /** `other`: a host that already ran; it survives quitting the app. `lost`: that host is gone. */
  host: z.object({
    by: z.enum(['app', 'other']),
    state: z.enum(['starting', 'up', 'lost', 'failed']),
    pid: z.number().int().nullable(),
  }),
  /** Whether the desktop shows the app in its tray. */
  tray: z.boolean(),
  /** The chosen shortcut of the quick ask has no effect, because another program uses it. */
  isShortcutTaken: z.boolean(),
  /** `ready` is the version that the next start installs. */
  update: z.object({ configured: z.boolean(), ready: z.string().nullable() }),
  /** The last one since the app started. */
  restore: restoreStateSchema.nullable(),
});
export type DesktopView = z.infer<typeof desktopViewSchema>;

export const desktopMethods = {
  'desktop.view': row(
    () => none,
    () => desktopViewSchema,
    page,
  ),
  'desktop.set': row(
    () =>
      z.strictObject({ ...settingsFields, notify: z.partialRecord(notifyKindSchema, z.boolean()) }).partial(),
    () => desktopSettingsSchema,
    page,
  ),
  /** Keeps the page's unsent text while its window is released; in memory only, until the app quits. */
  'desktop.keepScreen': row(
    () => z.strictObject({ screen: z.string().max(1_000_000) }),
    () => done,
    page,
  ),
  /** Empty if nothing was kept. */
  'desktop.takeScreen': row(
    () => none,
    () => z.object({ screen: z.string() }),
    page,
  ),
  // The results of the next methods are `null` if the user closes the system dialog without a choice.
  /** The user picks a file or folder to import; continue with `bundles.reviewBrought`. */
  'desktop.pickImport': row(
    () => z.strictObject({ what: z.enum(['file', 'folder']) }),
    () => z.object({ transferId: z.string().nullable() }),
    page,
  ),
  /** The user picks a folder that an agent may use. */
  'desktop.pickFolder': row(
    () => none,
    () => z.object({ path: z.string().nullable() }),
    page,
  ),
  /** The user picks a folder with skills, or a zip or git bundle. */
  'desktop.pickSkills': row(
    () => z.object({ what: z.enum(['folder', 'file']) }),
    () => z.object({ path: z.string().nullable() }),
    page,
  ),
  /** The user picks a folder for the backup. */
  'desktop.saveBackup': row(
    () => none,
    () =>
      z.object({
        saved: z.object({ path: z.string(), files: z.number().int(), bytes: z.number() }).nullable(),
      }),
    page,
  ),
  /** The user picks a backup, which is checked and held for `desktop.restore`. */
  'desktop.pickBackup': row(
    () => none,
    () => z.object({ backup: backupFactsSchema.nullable() }),
    page,
  ),
  /**
   * Restores the picked backup. Returns at once; `desktop.view` shows the progress, and the page reloads at
   * the end.
   */
  'desktop.restore': row(
    () => none,
    () => done,
    page,
  ),
  /** Shows the main window with a page such as `#/inbox`. */
  'desktop.show': row(
    () => z.strictObject({ route: z.string().max(300).startsWith('#/') }),
    () => done,
    page,
  ),
  /** The invite link that another program opened in Kennel, once; empty if none waits. */
  'desktop.takeLink': row(
    () => none,
    () => z.object({ link: z.string() }),
    page,
  ),
  /** Answered by a locked window too. `isHostLost`: another process was the host and is gone. */
  'desktop.lockState': row(
    () => none,
    () => z.object({ isLocked: z.boolean(), isHostLost: z.boolean() }),
    page,
  ),
  /** Hides everything until the passphrase is given; `not_found` if none is set yet. */
  'desktop.lock': row(
    () => none,
    () => done,
    page,
  ),
  'desktop.unlock': row(
    () => z.strictObject({ passphrase: z.string().min(1).max(1000) }),
    () => done,
    page,
  ),
  /** Quits and installs the downloaded version; `conflict` if none waits. */
  'desktop.installUpdate': row(
    () => none,
    () => done,
    page,
  ),
  /** Starts a host in the app after the other one is gone; `conflict` while one runs. */
  'desktop.hostHere': row(
    () => none,
    () => done,
    page,
  ),
} as const;
