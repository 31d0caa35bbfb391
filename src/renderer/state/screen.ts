/** State of this page only: open panes, unsent text and toasts. */
import { create } from 'zustand';
import type { AppError } from '../../contract/errors.ts';
import { localizeError, localizeHint } from '../../language/texts.ts';
import { type ErrorFix, errorFix } from './error-fix.ts';

export type InspectorContent =
  | { readonly type: 'thread'; readonly rootId: string }
  | { readonly type: 'people' | 'pins' | 'conversations' };

export interface Notice {
  readonly id: number;
  readonly tone: 'plain' | 'error';
  readonly text: string;
  readonly hint: string | null;
  readonly fix: ErrorFix | null;
  /** Takes back what the notice reports. */
  readonly undo: (() => void) | null;
}

/** Text of a file with the hash of the file that it is based on. */
export interface UnsavedText {
  readonly text: string;
  readonly was: string;
}

interface Screen {
  readonly inspector: InspectorContent | null;
  readonly serverView: boolean;
  readonly bannerHidden: boolean;
  readonly creating: boolean;
  /** The setup that the first-run page started is still running. */
  readonly settingUp: boolean;
  readonly notices: readonly Notice[];
  /** Text of the polite live region. */
  readonly spoken: string;
  /** Unsent text by room and thread, and unsaved souls by agent. Both survive leaving the page. */
  readonly unsent: Readonly<Record<string, string>>;
  readonly unsavedSouls: Readonly<Record<string, string>>;
  /** By path; survives leaving the page, too. */
  readonly unsavedWorkflows: Readonly<Record<string, UnsavedText>>;
}

export const useScreen = create<Screen>(() => ({
  inspector: null,
  serverView: false,
  bannerHidden: false,
  creating: false,
  settingUp: false,
  notices: [],
  spoken: '',
  unsent: {},
  unsavedSouls: {},
  unsavedWorkflows: {},
}));

const set = useScreen.setState;
let lastNotice = 0;

export const openInspector = (inspector: InspectorContent | null): void => set({ inspector });
export const showServerView = (serverView: boolean): void => set({ serverView, inspector: null });
export const setSettingUp = (settingUp: boolean): void => set({ settingUp });
export const askNewAgent = (creating: boolean): void => set({ creating });
export const hideBanner = (): void => set({ bannerHidden: true });
export const speak = (spoken: string): void => set({ spoken });

/** Key of the unsent text and files of a room or thread. */
export const writingPlace = (roomId: string, threadRootId: string | null): string =>
  `${roomId} ${threadRootId ?? ''}`;

export const keepUnsent = (room: string, text: string): void =>
  set((screen) => ({ unsent: { ...screen.unsent, [room]: text } }));

export const keepSoul = (agent: string, text: string | null): void =>
  set((screen) => {
    const { [agent]: _, ...rest } = screen.unsavedSouls;
    return { unsavedSouls: text === null ? rest : { ...rest, [agent]: text } };
  });

export function showNotice(
  text: string,
  tone: Notice['tone'] = 'plain',
  hint: string | null = null,
  fix: ErrorFix | null = null,
  undo: Notice['undo'] = null,
): void {
  const id = ++lastNotice;
  set((screen) => ({ notices: [...screen.notices.slice(-3), { id, tone, text, hint, fix, undo }] }));
  setTimeout(() => dropNotice(id), tone === 'error' || undo !== null ? 12_000 : 5_000);
}

/** A notice with an *Undo* button. */
export const showUndoable = (text: string, undo: () => void): void =>
  showNotice(text, 'plain', null, null, undo);

export const showError = (error: AppError): void =>
  showNotice(localizeError(error), 'error', localizeHint(error) || null, errorFix(error));

export const dropNotice = (id: number): void =>
  set((screen) => ({ notices: screen.notices.filter((notice) => notice.id !== id) }));
