/**
 * The tray icon. Icon and tooltip update at once, the menu at most once a second, because rebuilding it is
 * slow and moves rows under the pointer. Unchanged content causes no update.
 */

import { Menu, nativeTheme, Tray } from 'electron';
import type { TrayPanel } from '../contract/desktop-methods.ts';
import { t } from '../language/texts.ts';
import { createTrayImages } from './tray-images.ts';
import { type TrayActions, trayMenu } from './tray-menu.ts';
import { startingInput, type TrayInput, trayView } from './tray-view.ts';

const menuRestMs = 1000;

export interface AppTray {
  /** False if the desktop has no tray; the window must then stay reachable. */
  readonly present: boolean;
  show(change: Partial<TrayInput>): void;
  setPanel(panel: TrayPanel): void;
  /** Renders everything again after a change of the language. */
  redraw(): void;
  destroy(): void;
}

export interface TrayOptions {
  readonly icons: string;
  readonly panel: TrayPanel;
  /** False acts like a desktop without a tray. */
  readonly wanted: boolean;
  readonly actions: TrayActions;
}

function createTray(image: Electron.NativeImage): Tray | null {
  try {
    return new Tray(image);
  } catch {
    return null;
  }
}

export function createAppTray({ icons, panel: firstPanel, wanted, actions }: TrayOptions): AppTray {
  const images = createTrayImages(icons);
  const tray = wanted ? createTray(images.icon('offline', firstPanel)) : null;
  let panel = firstPanel;
  let input = startingInput;
  let icon = '';
  let line = '';
  let menu = '';
  let resting: NodeJS.Timeout | undefined;

  function renderMenu(): void {
    resting = undefined;
    if (tray === null || tray.isDestroyed()) return;
    const view = trayView(input);
    const key = JSON.stringify(view);
    if (key === menu) return;
    menu = key;
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(view, images.dot, actions)));
    resting = setTimeout(renderMenu, menuRestMs);
    resting.unref();
  }

  function render(): void {
    if (tray === null || tray.isDestroyed()) return;
    const view = trayView(input);
    const picture = `${view.icon} ${panel} ${nativeTheme.shouldUseDarkColors}`;
    if (picture !== icon) tray.setImage(images.icon(view.icon, panel));
    if (view.line !== line) tray.setToolTip(t('tray.tip', { line: view.line }));
    icon = picture;
    line = view.line;
    if (resting === undefined) renderMenu();
  }

  tray?.on('click', () => actions.open());
  nativeTheme.on('updated', render);
  render();
  return {
    present: tray !== null,
    show(change) {
      input = { ...input, ...change };
      render();
    },
    setPanel(next) {
      panel = next;
      render();
    },
    redraw() {
      clearTimeout(resting);
      [resting, menu, line] = [undefined, '', ''];
      render();
    },
    destroy() {
      clearTimeout(resting);
      nativeTheme.off('updated', render);
      tray?.destroy();
    },
  };
}
