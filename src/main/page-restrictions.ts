/** Denies navigation, new windows, permissions, downloads and network access to all pages. */

import { app, BrowserWindow, dialog, type Session, shell, type WebContents } from 'electron';
import { t } from '../language/texts.ts';
import { externalLink } from './external-link.ts';
import { isOwnDownload } from './own-download.ts';

/** Granted permissions with the reason for each; all others are denied. */
const grantedPermissions: Readonly<Record<string, string>> = {
  'clipboard-sanitized-write': 'the copy buttons write plain text to the clipboard',
};

async function openOutside(contents: WebContents, address: string): Promise<void> {
  const link = externalLink(address);
  const window = BrowserWindow.fromWebContents(contents);
  if (link === null || window === null) return;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: t('shell.openOutside', { place: link.place }),
    detail: link.href,
    buttons: [t('shell.cancel'), t('shell.open')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 1) await shell.openExternal(link.href);
}

function guardContents(contents: WebContents): void {
  const stay = (event: Electron.Event<Electron.WebContentsWillFrameNavigateEventParams>): void => {
    // A reload is allowed, because a page whose chunks belong to an earlier version offers it.
    if (!event.isMainFrame || event.url !== contents.getURL()) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void openOutside(contents, url);
    return { action: 'deny' };
  });
}

/** Must run before the first window is created. */
export function guardEveryPage(): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

/** `allowedOrigins` are the page's own origin and, in development, the dev server's. */
export function guardSession(session: Session, allowedOrigins: readonly string[]): void {
  // Replaces any handler that was set before.
  session.setPermissionRequestHandler(null);
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(Object.hasOwn(grantedPermissions, permission)),
  );
  session.setPermissionCheckHandler((_contents, permission) => Object.hasOwn(grantedPermissions, permission));
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    if (!isOwnDownload(item.getURL(), allowedOrigins)) event.preventDefault();
  });
  session.webRequest.onBeforeRequest((details, answer) => {
    const known = allowedOrigins.some(
      (origin) => details.url === origin || details.url.startsWith(`${origin}/`),
    );
    answer({ cancel: !known && !/^(data|devtools|blob:kennel):/.test(details.url) });
  });
}
