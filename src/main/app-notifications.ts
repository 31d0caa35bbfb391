/** Electron's notifications behind the port of the notifier. */
import { Notification } from 'electron';
import type { SystemNotifications } from './notifier.ts';

export const appNotifications: SystemNotifications = {
  isSupported: () => Notification.isSupported(),
  hasButtons: process.platform === 'darwin' || process.platform === 'win32',
  create({ title, body, buttons, isSilent }) {
    const actions = buttons.map((text) => ({ type: 'button' as const, text }));
    const notification = new Notification({
      title,
      body,
      silent: isSilent,
      ...(buttons.length > 0 ? { actions } : {}),
    });
    return {
      onClick: (run) => void notification.on('click', run),
      onButton: (run) => void notification.on('action', (_event, index) => run(index)),
      // Windows moves a banner that timed out to the Action Center.
      onClose: (run) => void notification.on('close', ({ reason }) => run(reason === 'timedOut')),
      show: () => notification.show(),
      close: () => notification.close(),
    };
  },
};
