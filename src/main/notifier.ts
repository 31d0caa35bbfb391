/** System notifications: referenced so that clicks work, and closed when their subject is settled. */

import { Notification } from 'electron';
import { t } from '../language/texts.ts';
import type { Announcement } from './announce.ts';

/** Limit of referenced notifications. An older one stays visible, but its click does nothing. */
const maxKept = 50;

export interface NotifierActions {
  /** `question` is the id of the approval that the notification is about, or `null`. */
  open(route: string, question: string | null): void;
  deny(approval: { readonly id: string; readonly digest: string }): void;
}

export interface Notifier {
  ring(announcement: Announcement): void;
  settled(approvalIds: readonly string[]): void;
  clear(): void;
}

export function createNotifier(actions: NotifierActions): Notifier {
  const kept = new Map<Notification, string | null>();
  const drop = (notification: Notification): void => void kept.delete(notification);

  function ring({ title, body, route, deny }: Announcement): void {
    if (!Notification.isSupported()) return;
    // Only macOS has buttons; elsewhere a click opens the approval, which can be denied there.
    const buttons = deny !== null && deny.no !== 'none' && process.platform === 'darwin';
    const no = deny?.no === 'reject' ? t('gates.reject') : t('tray.deny');
    const notification = new Notification({
      title,
      body,
      ...(buttons ? { actions: [{ type: 'button' as const, text: no }] } : {}),
    });
    notification.on('click', () => {
      drop(notification);
      actions.open(route, deny?.id ?? null);
    });
    notification.on('action', () => {
      if (deny) actions.deny(deny);
    });
    notification.on('close', () => drop(notification));
    kept.set(notification, deny?.id ?? null);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest) drop(oldest);
    notification.show();
  }

  function closeAll(which: (approvalId: string | null) => boolean): void {
    for (const [notification, approvalId] of [...kept]) {
      if (!which(approvalId)) continue;
      drop(notification);
      notification.close();
    }
  }

  return {
    ring,
    settled: (ids) => closeAll((id) => id !== null && ids.includes(id)),
    clear: () => closeAll(() => true),
  };
}
