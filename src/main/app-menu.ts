/** The menu bar: standard items and, for desktops without a tray, all items of the tray's menu. */

import { Menu, type MenuItemConstructorOptions } from 'electron';
import { t } from '../language/texts.ts';
import { newAgentRoute, type TrayActions } from './tray-menu.ts';

export function setAppMenu(actions: TrayActions): void {
  const mac = process.platform === 'darwin';
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const app: MenuItemConstructorOptions = {
    label: 'Kennel',
    submenu: [
      ...(mac ? ([{ role: 'hide' }, { role: 'hideOthers' }, { type: 'separator' }] as const) : []),
      { label: t('tray.questions'), click: () => actions.open('#/inbox') },
      {
        label: t('tray.settings'),
        accelerator: 'CommandOrControl+,',
        click: () => actions.open('#/settings'),
      },
      separator,
      { role: 'close' },
      { label: t('tray.quit'), accelerator: 'CommandOrControl+Q', click: actions.quit },
    ],
  };
  const agents: MenuItemConstructorOptions = {
    label: t('tray.agents'),
    submenu: [
      {
        label: t('tray.newAgentBar'),
        accelerator: 'CommandOrControl+Shift+N',
        click: () => actions.open(newAgentRoute),
      },
      { label: t('tray.askBar'), click: () => actions.ask() },
      separator,
      { label: t('tray.pauseAllBar'), click: () => actions.setAllPaused(true) },
      { label: t('tray.resumeAllBar'), click: () => actions.setAllPaused(false) },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: t('tray.view'),
    submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }],
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate([app, { role: 'editMenu' }, agents, view]));
}
