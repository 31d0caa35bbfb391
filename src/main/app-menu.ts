/** The menu bar: what a person expects of any app, and nothing that opens a door. */
import { Menu, type MenuItemConstructorOptions } from 'electron';

export function setAppMenu(quit: () => void): void {
  const mac = process.platform === 'darwin';
  const app: MenuItemConstructorOptions = {
    label: 'Kennel',
    submenu: [
      ...(mac ? ([{ role: 'hide' }, { role: 'hideOthers' }, { type: 'separator' }] as const) : []),
      { role: 'close' },
      { label: 'Quit Kennel', accelerator: 'CommandOrControl+Q', click: quit },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }],
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate([app, { role: 'editMenu' }, view]));
}
