import { create } from 'zustand';

/** Which of the two dialogs of the keyboard is open. */
type Shown = 'palette' | 'sheet';

export const usePalette = create<{ shown: Shown | null }>(() => ({ shown: null }));

export const showPalette = (shown: Shown | null): void => usePalette.setState({ shown });
