/** Calls a host method from a form: one call at a time, with its error kept for that form. */
import { useCallback, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { HostClient } from '../../contract/host-api.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../contract/methods.ts';
import type { Result } from '../../contract/result.ts';
import { showError } from './screen.ts';
import { useReplica } from './subscriptions.ts';

export interface Action<M extends MethodName> {
  readonly busy: boolean;
  readonly error: AppError | null;
  run(input: MethodInput<M>): Promise<Result<MethodOutput<M>>>;
  clear(): void;
}

export function useAction<M extends MethodName>(method: M): Action<M> {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const run = useCallback(
    async (input: MethodInput<M>) => {
      setBusy(true);
      setError(null);
      const result = await link.call(method, input);
      setBusy(false);
      if (!result.ok) setError(result.error);
      return result;
    },
    [link, method],
  );
  const clear = useCallback(() => setError(null), []);
  return { busy, error, run, clear };
}

/** Submits a form with several calls; a second submit is ignored until the first one ends. */
export function useSubmit(work: () => Promise<void>): { readonly busy: boolean; submit(): void } {
  const [busy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const run = async (): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { busy, submit: () => void run() };
}

/** For buttons without a form: shows an error as a toast and resolves to true on success. */
export async function act<M extends MethodName>(
  client: HostClient,
  method: M,
  input: MethodInput<M>,
): Promise<boolean> {
  const result = await client.call(method, input);
  if (!result.ok) showError(result.error);
  return result.ok;
}
