import { useEffect } from 'react';

export const holdsFiles = (transfer: DataTransfer): boolean => transfer.types.includes('Files');

/** Without this the browser replaces the page with a file that is dropped outside a drop zone. */
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
