import { useEffect, useState } from 'react';

/** `#/approval/<id>` shows one approval without the frame and without links to other pages. */
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

/** Id of the approval that this page shows alone, or `null` on any other page. */
export function useLoneId(): string | null {
  const [id, setId] = useState(() => idIn(location.hash));
  useEffect(() => {
    const follow = (): void => setId(idIn(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return id;
}
