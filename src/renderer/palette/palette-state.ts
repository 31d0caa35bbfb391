import { create } from 'zustand';

/** Which keyboard dialog is open, if any. */
type Shown = 'palette' | 'sheet';

export const usePalette = create<{ shown: Shown | null }>(() => ({ shown: null }));

export const showPalette = (shown: Shown | null): void => usePalette.setState({ shown });
