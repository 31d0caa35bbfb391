/** Records the tray's menu: Electron has no getter, so each menu is captured when it is set. */
import type { ElectronApplication } from '@playwright/test';

export interface SeenRow {
  readonly id: string;
  readonly label: string;
  readonly verbs: string[];
}

export interface WatchedTray {
  rows(): Promise<SeenRow[]>;
  row(id: string): Promise<SeenRow | undefined>;
  /** `verb` is an item of the row's submenu. */
  click(id: string, verb?: string): Promise<void>;
}

/** Captures menus that are set from now on. */
export async function watchTray(app: ElectronApplication): Promise<WatchedTray> {
  await app.evaluate(({ Tray }) => {
    const set = Tray.prototype.setContextMenu;
    Tray.prototype.setContextMenu = function (menu) {
      Reflect.set(globalThis, 'trayMenu', menu);
      return set.call(this, menu);
    };
  });
  const rows = (): Promise<SeenRow[]> =>
    app.evaluate(() => {
      const menu = Reflect.get(globalThis, 'trayMenu') as Electron.Menu | undefined;
      return (menu?.items ?? []).map((item) => ({
        id: item.id ?? '',
        label: item.label,
        verbs: item.submenu?.items.map(({ label }) => label) ?? [],
      }));
    });
  return {
    rows,
    row: async (id) => (await rows()).find((one) => one.id === id),
    click: (id, verb) =>
      app.evaluate(
        (_electron, [wanted, below]) => {
          const menu = Reflect.get(globalThis, 'trayMenu') as Electron.Menu;
          const item = menu.items.find((one) => one.id === wanted);
          const target = below === '' ? item : item?.submenu?.items.find(({ label }) => label === below);
          if (!target) throw new Error(`the tray has no row ${wanted} ${below}`);
          target.click();
        },
        [id, verb ?? ''] as const,
      ),
  };
}
