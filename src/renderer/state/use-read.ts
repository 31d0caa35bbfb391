import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../contract/methods.ts';
import { useReplica } from './subscriptions.ts';

export interface ReadState<M extends MethodName> {
  /** Last value read, or `null` before the first. */
  readonly value: MethodOutput<M> | null;
  readonly error: AppError | null;
  reload(): Promise<void>;
}

/**
 * Reads a method without input on mount, on `reload`, and again when `about` changes. Reads nothing while
 * `about` is `null`.
 */
export function useRead<M extends MethodName>(
  method: M & (Record<string, never> extends MethodInput<M> ? M : never),
  about: string | null = '',
): ReadState<M> {
  const { link } = useReplica();
  const [value, setValue] = useState<MethodOutput<M> | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const reload = useCallback(async () => {
    const result = await link.call<M>(method, {} as MethodInput<M>);
    if (result.ok) setValue(result.value);
    setError(result.ok ? null : result.error);
  }, [link, method]);
  useEffect(() => {
    if (about !== null) void reload();
  }, [reload, about]);
  return { value, error, reload };
}
