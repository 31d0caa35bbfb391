/** System notifications: referenced so that clicks work, and closed when their subject is settled. */
import { t } from '../language/texts.ts';
import type { Announcement } from './notification-text.ts';

/** Limit of referenced notifications; the oldest closes, since nothing could remove its names later. */
const maxKept = 50;

export interface NotifierActions {
  /** `question` is the id of the approval that the notification is about, or `null`. */
  open(route: string, question: string | null): void;
  answer(approval: { readonly id: string; readonly digest: string }, isYes: boolean): void;
}

export interface ShownNotification {
  onClick(run: () => void): void;
  /** `index` is the position of the pressed button. */
  onButton(run: (index: number) => void): void;
  /** `isKept`: the banner is gone, but the notification stays in the list of the system. */
  onClose(run: (isKept: boolean) => void): void;
  show(): void;
  close(): void;
}

export interface SystemNotifications {
  isSupported(): boolean;
  /** Linux shows no buttons; there, a click opens the approval. */
  readonly hasButtons: boolean;
  create(content: {
    readonly title: string;
    readonly body: string;
    readonly buttons: readonly string[];
    readonly isSilent: boolean;
  }): ShownNotification;
}

export interface Notifier {
  /** Without the sound of the system if `isSilent`. */
  ring(announcement: Announcement, isSilent?: boolean): void;
  settled(approvalIds: readonly string[]): void;
  clear(): void;
}

interface Button {
  readonly text: string;
  readonly isYes: boolean;
}

/** Yes only if the notification shows the whole question; no is always safe. */
function buttonsFor({ answer, isWhole }: Announcement): readonly Button[] {
  if (answer === null || answer.no === 'none') return [];
  const no = answer.no === 'reject' ? t('gates.reject') : t('tray.deny');
  return [...(isWhole ? [{ text: t('consent.once'), isYes: true }] : []), { text: no, isYes: false }];
}

export function createNotifier(system: SystemNotifications, actions: NotifierActions): Notifier {
  /** With the ids of the approvals that each is about. */
  const kept = new Map<ShownNotification, readonly string[]>();
  const drop = (notification: ShownNotification): void => void kept.delete(notification);

  function ring(announcement: Announcement, isSilent = false): void {
    if (!system.isSupported()) return;
    const { title, body, route, answer, questions } = announcement;
    const buttons = system.hasButtons ? buttonsFor(announcement) : [];
    const notification = system.create({ title, body, buttons: buttons.map(({ text }) => text), isSilent });
    notification.onClick(() => {
      drop(notification);
      actions.open(route, answer?.id ?? null);
    });
    notification.onButton((index) => {
      const button = buttons[index];
      drop(notification);
      if (answer && button) actions.answer(answer, button.isYes);
    });
    notification.onClose((isKept) => (isKept ? undefined : drop(notification)));
    kept.set(notification, questions);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest) {
      drop(oldest);
      oldest.close();
    }
    notification.show();
  }

  return {
    ring,
    settled(ids) {
      for (const [notification, questions] of [...kept]) {
        const left = questions.filter((id) => !ids.includes(id));
        if (questions.length === 0 || left.length === questions.length) continue;
        kept.set(notification, left);
        if (left.length > 0) continue;
        drop(notification);
        notification.close();
      }
    },
    clear() {
      for (const notification of [...kept.keys()]) notification.close();
      kept.clear();
    },
  };
}
