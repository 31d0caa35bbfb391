/** The menu bar: what a person expects of any app, and the whole of the tray's menu where a desktop has no tray. */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import { newAgentRoute, type TrayActions } from './tray-menu.ts';

export function setAppMenu(actions: TrayActions): void {
  const mac = process.platform === 'darwin';
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const app: MenuItemConstructorOptions = {
    label: 'Kennel',
    submenu: [
      ...(mac ? ([{ role: 'hide' }, { role: 'hideOthers' }, { type: 'separator' }] as const) : []),
      { label: 'Questions for You', click: () => actions.open('#/inbox') },
      { label: 'Settings', accelerator: 'CommandOrControl+,', click: () => actions.open('#/settings') },
      separator,
      { role: 'close' },
      { label: 'Quit Kennel', accelerator: 'CommandOrControl+Q', click: actions.quit },
    ],
  };
  const agents: MenuItemConstructorOptions = {
    label: 'Agents',
    submenu: [
      {
        label: 'New Agent…',
        accelerator: 'CommandOrControl+Shift+N',
        click: () => actions.open(newAgentRoute),
      },
      separator,
      { label: 'Pause All', click: () => actions.setAllPaused(true) },
      { label: 'Resume All', click: () => actions.setAllPaused(false) },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }],
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate([app, { role: 'editMenu' }, agents, view]));
}
