/** Open state and last query of the message search, kept so that reopening restores it. */
import { create } from 'zustand';

interface Search {
  readonly open: boolean;
  /** Room that was open when the search was opened, or `null` to search everywhere only. */
  readonly room: string | null;
  readonly scope: 'room' | 'all';
  readonly words: string;
}

export const useSearch = create<Search>(() => ({ open: false, room: null, scope: 'all', words: '' }));

export const openSearch = (room: string | null): void =>
  useSearch.setState({ open: true, room, scope: room === null ? 'all' : 'room' });
export const closeSearch = (): void => useSearch.setState({ open: false });
export const setScope = (scope: Search['scope']): void => useSearch.setState({ scope });
export const setWords = (words: string): void => useSearch.setState({ words });
