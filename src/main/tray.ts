/** The tray icon. Setters only change what should be shown; one render makes it so, and does nothing when it already is. */
import path from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { AgentSummary, Dot, HostView } from '../contract/model.ts';
import { type TrayAgentRow, trayView } from './tray-view.ts';

export interface TrayActions {
  open(): void;
  quit(): void;
  setPaused(agentId: string, paused: boolean): void;
}

export interface AppTray {
  /** False where the desktop gave no tray: then the window must stay reachable. */
  readonly present: boolean;
  showHost(host: HostView): void;
  showAgents(agents: Readonly<Record<string, AgentSummary>>): void;
  destroy(): void;
}

const fileName = (dot: Dot): string => dot.replace('_', '-');

function trayImage(icons: string, dot: Dot) {
  const template = process.platform === 'darwin';
  const name = `${fileName(dot)}${template ? '-template' : ''}.png`;
  const image = nativeImage.createFromPath(path.join(icons, 'tray', name));
  image.setTemplateImage(template);
  return image;
}

function agentItem(row: TrayAgentRow, icons: string, actions: TrayActions): MenuItemConstructorOptions {
  const { verb } = row;
  const change: MenuItemConstructorOptions[] = verb
    ? [
        {
          label: verb === 'pause' ? 'Pause' : 'Resume',
          click: () => actions.setPaused(row.id, verb === 'pause'),
        },
      ]
    : [];
  return {
    id: `agent:${row.id}`,
    label: row.label,
    icon: nativeImage.createFromPath(path.join(icons, 'dots', `${fileName(row.dot)}.png`)),
    submenu: [...change, { label: 'Open', click: actions.open }],
  };
}

function createTray(image: Electron.NativeImage): Tray | null {
  try {
    return new Tray(image);
  } catch {
    return null;
  }
}

export function createAppTray(icons: string, actions: TrayActions): AppTray {
  const tray = createTray(trayImage(icons, 'offline'));
  let host: HostView | null = null;
  let agents: Readonly<Record<string, AgentSummary>> = {};
  let shown = '';

  function render(): void {
    if (tray === null || tray.isDestroyed()) return;
    const view = trayView({ host, agents });
    const key = JSON.stringify(view);
    if (key === shown) return;
    shown = key;
    const more = view.more > 0 ? [{ label: `${view.more} more in the window`, click: actions.open }] : [];
    tray.setImage(trayImage(icons, view.icon));
    tray.setToolTip(`Kennel: ${view.line}`);
    const rows: MenuItemConstructorOptions[] = [
      { id: 'state', label: view.line, enabled: false },
      { type: 'separator' },
      ...view.agents.map((row) => agentItem(row, icons, actions)),
      ...more,
      ...(view.agents.length > 0 ? [{ type: 'separator' as const }] : []),
      { id: 'open', label: 'Open Kennel', click: actions.open },
      { id: 'quit', label: 'Quit Kennel', click: actions.quit },
    ];
    tray.setContextMenu(Menu.buildFromTemplate(rows));
  }

  tray?.on('click', actions.open);
  render();
  return {
    present: tray !== null,
    showHost(next) {
      host = next;
      render();
    },
    showAgents(next) {
      agents = next;
      render();
    },
    destroy: () => tray?.destroy(),
  };
}
