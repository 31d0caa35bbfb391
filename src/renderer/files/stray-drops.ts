import { useEffect } from 'react';

export const holdsFiles = (transfer: DataTransfer): boolean => transfer.types.includes('Files');

/** A file dropped beside the room must not take the place of the page. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const stop = (event: globalThis.DragEvent): void => {
      if (event.dataTransfer !== null && holdsFiles(event.dataTransfer)) event.preventDefault();
    };
    window.addEventListener('dragover', stop);
    window.addEventListener('drop', stop);
    return () => {
      window.removeEventListener('dragover', stop);
      window.removeEventListener('drop', stop);
    };
  }, []);
}
