import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes renames in a folder durable. Windows cannot sync folders; a rename is durable there without it. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
