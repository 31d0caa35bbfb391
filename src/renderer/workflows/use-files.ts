/**
 * Workflow files and examples; reloads when the window gets the focus, because other programs edit the files.
 */
import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { useReplica } from '../state/subscriptions.ts';

type Listing = MethodOutput<'workflows.list'>;

export interface FilesView {
  readonly listing: Listing | null;
  readonly error: AppError | null;
  reload(): Promise<void>;
}

export function useWorkflowFiles(): FilesView {
  const { link } = useReplica();
  const [listing, setListing] = useState<Listing | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const reload = useCallback(async () => {
    const result = await link.call('workflows.list', {});
    if (result.ok) setListing(result.value);
    setError(result.ok ? null : result.error);
  }, [link]);
  useEffect(() => {
    void reload();
    const again = (): void => void reload();
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [reload]);
  return { listing, error, reload };
}

/** Path relative to the workflow folder, as the change methods expect it. */
export const belowFolder = (folder: string, path: string): string =>
  path.startsWith(folder) ? path.slice(folder.length).replace(/^[\\/]+/, '') : path;
