/** Builds the tray's menu from its view: everything the app can do without a window. */

import type { MenuItemConstructorOptions, NativeImage } from 'electron';
import type { Dot } from '../contract/model.ts';
import { t } from '../language/texts.ts';
import type { TrayAgentRow, TrayView } from './tray-view.ts';

export interface TrayActions {
  /** `route` is a page such as `#/inbox`; absent to show the last one. */
  open(route?: string): void;
  /** Opens the only waiting approval of this agent (of all if `null`), or the inbox if several wait. */
  answer(agentId: string | null): void;
  /** Opens the quick ask; the main window if nothing can be asked now. */
  ask(): void;
  quit(): void;
  /** Locks the window; opens the settings of the lock if it has no passphrase yet. */
  lock(): void;
  setPaused(agentId: string, paused: boolean): void;
  setAllPaused(paused: boolean): void;
  /** Starts an own host in place of one that stopped. */
  hostHere(): void;
  /** Quits and starts the downloaded version. */
  update(): void;
}

type Row = MenuItemConstructorOptions;

/** Route that opens the form for a new agent. */
export const newAgentRoute = '#/new-agent';

export const agentRoute = (id: string): string => `#/agents/${encodeURIComponent(id)}`;

function agentItem(row: TrayAgentRow, dot: (state: Dot) => NativeImage, actions: TrayActions): Row {
  const { verb, asks } = row;
  const submenu: Row[] = [];
  if (asks) submenu.push({ label: t('tray.answer'), click: () => actions.answer(row.id) });
  if (verb === 'pause')
    submenu.push({ label: t('tray.pause'), click: () => actions.setPaused(row.id, true) });
  if (verb === 'resume')
    submenu.push({ label: t('tray.resume'), click: () => actions.setPaused(row.id, false) });
  submenu.push({ label: t('tray.open'), click: () => actions.open(agentRoute(row.id)) });
  return { id: `agent:${row.id}`, label: row.label, icon: dot(row.dot), submenu };
}

const separator: Row = { type: 'separator' };
const section = (rows: readonly Row[]): Row[] => (rows.length > 0 ? [separator, ...rows] : []);

export function trayMenu(view: TrayView, dot: (state: Dot) => NativeImage, actions: TrayActions): Row[] {
  const item = (row: TrayAgentRow): Row => agentItem(row, dot, actions);
  const head: Row[] = [{ id: 'state', label: view.line, enabled: false }];
  if (view.spent) head.push({ id: 'spent', label: view.spent, enabled: false });
  if (view.hosted) head.push({ id: 'hosted', label: view.hosted, enabled: false });
  if (view.hostHere) head.push({ id: 'host-here', label: t('tray.hostHere'), click: actions.hostHere });
  if (view.waiting) {
    head.push({ id: 'waiting', label: view.waiting, click: () => actions.answer(null) });
  }
  const agents = view.agents.map(item);
  if (view.more.length > 0) {
    agents.push({
      id: 'more',
      label: t('tray.more', { count: view.more.length }),
      submenu: view.more.map(item),
    });
  }
  const all: Row[] = [];
  if (view.canAsk) all.push({ id: 'ask', label: t('tray.ask'), click: actions.ask });
  if (view.pauseAll)
    all.push({ id: 'pause-all', label: t('tray.pauseAll'), click: () => actions.setAllPaused(true) });
  if (view.resumeAll) {
    all.push({ id: 'resume-all', label: t('tray.resumeAll'), click: () => actions.setAllPaused(false) });
  }
  if (view.newAgent) {
    all.push({ id: 'new-agent', label: t('tray.newAgent'), click: () => actions.open(newAgentRoute) });
  }
  const app: Row[] = [{ id: 'open', label: t('tray.openKennel'), click: () => actions.open() }];
  if (view.update) {
    app.push({ id: 'update', label: t('tray.update', { version: view.update }), click: actions.update });
  }
  if (view.canLock) app.push({ id: 'lock', label: t('tray.lock'), click: actions.lock });
  app.push({ id: 'quit', label: t('tray.quit'), click: actions.quit });
  return [...head, ...section(agents), ...section(all), ...section(app)];
}
