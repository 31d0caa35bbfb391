import { useSyncExternalStore } from 'react';

/** `#/ask` shows the quick ask without the frame. */
export const isQuickAsk = (): boolean => location.hash === '#/ask';

function onHash(follow: () => void): () => void {
  window.addEventListener('hashchange', follow);
  return () => window.removeEventListener('hashchange', follow);
}

export const useIsQuickAsk = (): boolean => useSyncExternalStore(onHash, isQuickAsk);
