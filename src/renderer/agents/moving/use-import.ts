/** State of an import: upload the file, unlock it, review it, import it. */
import { useEffect, useRef, useState } from 'react';
import type { Imported, ImportReview } from '../../../contract/bundles.ts';
import type { AppError } from '../../../contract/errors.ts';
import type { MethodInput } from '../../../contract/methods.ts';
import { useReplica } from '../../state/subscriptions.ts';
import { bringFile } from './transfer.ts';

export type Choice = Pick<MethodInput<'bundles.importBrought'>, 'only' | 'as' | 'trust' | 'identity'>;

export type ImportState =
  | { readonly type: 'choose' }
  | { readonly type: 'bringing'; readonly received: number; readonly size: number }
  | { readonly type: 'locked' }
  | { readonly type: 'review'; readonly review: ImportReview }
  | { readonly type: 'done'; readonly imported: Imported };

export function useImport() {
  const { link } = useReplica();
  const [step, setStep] = useState<ImportState>({ type: 'choose' });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const going = useRef<AbortController | null>(null);
  const held = useRef<{ transferId: string; passphrase?: string } | null>(null);
  const drop = (): void => {
    going.current?.abort();
    if (held.current !== null) void link.call('bundles.forget', { transferId: held.current.transferId });
    held.current = null;
    setError(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog goes
  useEffect(() => drop, []);

  const look = async (passphrase?: string): Promise<void> => {
    if (held.current === null) return;
    const { transferId } = held.current;
    const secret = passphrase === undefined ? {} : { passphrase };
    setBusy(true);
    setError(null);
    const reviewed = await link.call('bundles.reviewBrought', { transferId, ...secret });
    setBusy(false);
    if (reviewed.ok) {
      held.current = { transferId, ...secret };
      return setStep({ type: 'review', review: reviewed.value });
    }
    const locked = reviewed.error.code === 'locked' || reviewed.error.code === 'unauthenticated';
    if (!locked) drop();
    setError(locked && passphrase === undefined ? null : reviewed.error);
    setStep({ type: locked ? 'locked' : 'choose' });
  };
  const choose = async (file: File): Promise<void> => {
    drop();
    const control = new AbortController();
    going.current = control;
    setStep({ type: 'bringing', received: 0, size: file.size });
    const brought = await bringFile(link, file, {
      signal: control.signal,
      progress: (received) => setStep({ type: 'bringing', received, size: file.size }),
    });
    if (control.signal.aborted) return;
    if (!brought.ok) {
      setError(brought.error);
      return setStep({ type: 'choose' });
    }
    held.current = { transferId: brought.value };
    await look();
  };
  /** Uses the system's file dialog; available only in the desktop app. */
  const pick = async (what: 'file' | 'folder'): Promise<void> => {
    drop();
    const picked = await link.call('desktop.pickImport', { what });
    if (!picked.ok) return setError(picked.error);
    if (picked.value.transferId === null) return;
    held.current = { transferId: picked.value.transferId };
    await look();
  };
  const letIn = async (digest: string, choice: Choice): Promise<void> => {
    if (held.current === null) return;
    setBusy(true);
    setError(null);
    const imported = await link.call('bundles.importBrought', { ...held.current, digest, ...choice });
    setBusy(false);
    if (imported.ok) setStep({ type: 'done', imported: imported.value });
    else setError(imported.error);
  };
  const again = (): void => {
    drop();
    setStep({ type: 'choose' });
  };
  return { step, busy, error, choose, pick, look, letIn, again };
}

export type Import = ReturnType<typeof useImport>;
