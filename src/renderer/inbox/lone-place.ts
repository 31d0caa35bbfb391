import { useEffect, useState } from 'react';

/** `#/approval/<id>` is one question without the frame around it: nothing there leads into the rest of the house. */
export const lonePlace = '#/approval/';

export const isLone = (): boolean => location.hash.startsWith(lonePlace);

function idIn(hash: string): string | null {
  if (!hash.startsWith(lonePlace) || hash === lonePlace) return null;
  try {
    return decodeURIComponent(hash.slice(lonePlace.length));
  } catch {
    return null;
  }
}

/** Of the question that this page is about alone, without frame; null for a page like any other. */
export function useLoneId(): string | null {
  const [id, setId] = useState(() => idIn(location.hash));
  useEffect(() => {
    const follow = (): void => setId(idIn(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return id;
}
