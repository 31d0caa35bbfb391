/** Rows of the method table about the app around the window. The app answers them itself; a host without one refuses. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { done, none, type PrincipalKind, row } from './method-row.ts';

/** Neither the command line nor an agent has a desktop. */
const page: readonly PrincipalKind[] = ['owner-ui'];

/** What may be announced while the window has no focus. */
export const notifyKindSchema = z.enum(['approvals', 'finished', 'failed', 'mentioned']);
export type NotifyKind = z.infer<typeof notifyKindSchema>;

const notifySchema = z.record(notifyKindSchema, z.boolean());

/** `auto`: seen on either kind of panel, or as the system says. */
export const trayPanelSchema = z.enum(['auto', 'light', 'dark']);
export type TrayPanel = z.infer<typeof trayPanelSchema>;

/** `system`: the first of the system's languages that there are texts in. */
export const shellLanguageSchema = z.enum(['system', 'en', 'de']);
export type ShellLanguage = z.infer<typeof shellLanguageSchema>;

const settingsFields = {
  startAtLogin: z.boolean(),
  notify: notifySchema,
  /** Names of files, commands and messages may stand in notifications, which a locked screen may show. */
  notifyText: z.boolean(),
  trayPanel: trayPanelSchema,
  /** What tray, dialogs and notifications speak; the page tells it when a person chooses there. */
  language: shellLanguageSchema,
  /** Look for new versions; without effect in a build that knows no place to look. */
  updates: z.boolean(),
};

export const desktopSettingsSchema = z.object(settingsFields);
export type DesktopSettings = z.infer<typeof desktopSettingsSchema>;

/** What became of a backup that a person put back: the host is stopped for it, and started again whatever happens. */
export const restoreStateSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('running'), files: z.number().int(), of: z.number().int() }),
  /** `aside`: where lies what was there before; null when there was nothing. */
  z.object({ type: z.literal('done'), files: z.number().int(), aside: z.string().nullable() }),
  z.object({ type: z.literal('failed'), error: appErrorSchema }),
]);
export type RestoreState = z.infer<typeof restoreStateSchema>;

const backupFactsSchema = z.object({
  /** Where it lies, for the person who picked it. */
  path: z.string(),
  version: z.string(),
  madeAt: z.number(),
  files: z.number().int(),
  bytes: z.number(),
});
export type BackupFacts = z.infer<typeof backupFactsSchema>;

export const desktopViewSchema = z.object({
  settings: desktopSettingsSchema,
  /** `other`: a host that was running already; quitting the app leaves it alone. `lost`: that one went away. */
  host: z.object({
    by: z.enum(['app', 'other']),
    state: z.enum(['starting', 'up', 'lost', 'failed']),
    pid: z.number().int().nullable(),
  }),
  /** Whether the desktop gave the app a place in its tray. */
  tray: z.boolean(),
  /** `ready`: the version that the next start brings. */
  update: z.object({ configured: z.boolean(), ready: z.string().nullable() }),
  /** The last of this life of the app. */
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
  /** The page's own unsent words while its window is given back; in memory only, gone with the app. */
  'desktop.keepScreen': row(
    () => z.strictObject({ screen: z.string().max(1_000_000) }),
    () => done,
    page,
  ),
  /** Empty when nothing was kept. */
  'desktop.takeScreen': row(
    () => none,
    () => z.object({ screen: z.string() }),
    page,
  ),
  /** Where a dialog of the system is closed without a choice, the answers of these are null. */
  /** The person picks a file or folder to import from; goes on with `bundles.reviewBrought`. */
  'desktop.pickImport': row(
    () => z.strictObject({ what: z.enum(['file', 'folder']) }),
    () => z.object({ transferId: z.string().nullable() }),
    page,
  ),
  /** The person names a place, and everything is copied there. */
  'desktop.saveBackup': row(
    () => none,
    () =>
      z.object({
        saved: z.object({ path: z.string(), files: z.number().int(), bytes: z.number() }).nullable(),
      }),
    page,
  ),
  /** The person picks a backup; it is read, and held for `desktop.restore`. */
  'desktop.pickBackup': row(
    () => none,
    () => z.object({ backup: backupFactsSchema.nullable() }),
    page,
  ),
  /** Puts back what was picked: begins at once, `desktop.view` tells how it goes, and the page is loaded anew at the end. */
  'desktop.restore': row(
    () => none,
    () => done,
    page,
  ),
  /** Starts a host in the app where the other one went away; `conflict` while one is there. */
  'desktop.hostHere': row(
    () => none,
    () => done,
    page,
  ),
} as const;
