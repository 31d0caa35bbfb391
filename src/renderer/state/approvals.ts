/** Approvals for the operator: the waiting ones, the ones not snoozed, and those answered on this page. */
import { useCallback, useMemo, useState } from 'react';
import { create, useStore } from 'zustand';
import type { Approval, ApprovalAnswer, Receipt } from '../../contract/approvals.ts';
import type { AppError } from '../../contract/errors.ts';
import { isCalling } from '../../contract/operator-queue.ts';
import { t } from '../../language/texts.ts';
import { useNow } from '../parts/time.tsx';
import { showNotice, speak } from './screen.ts';
import { useReplica } from './subscriptions.ts';

const none: Readonly<Record<string, Approval>> = {};
/** Limit of answered approvals that stay visible as one line each. */
const keptAnswered = 20;

/** All waiting approvals, oldest first. */
export function useAsked(): readonly Approval[] {
  const waiting = useStore(useReplica().approvals.store, (value) => value.state?.waiting ?? none);
  return useMemo(() => Object.values(waiting).sort((a, b) => a.createdAt - b.createdAt), [waiting]);
}

export const useAskedById = (id: string): Approval | null =>
  useStore(useReplica().approvals.store, (value) => value.state?.waiting[id] ?? null);

/** Waiting approvals without the snoozed ones. */
export function useAsking(): readonly Approval[] {
  const asked = useAsked();
  const now = useNow();
  return asked.filter((approval) => isCalling(approval, now));
}

export interface Answered {
  readonly approval: Approval;
  readonly receipt: Receipt | null;
  /** Another surface answered first, so this page's answer did not count. */
  readonly late: boolean;
}

const useAnswers = create<Readonly<Record<string, Answered>>>(() => ({}));

/** Outcome of an approval that no longer waits, or `null` if this page does not know it. */
export const useAnswered = (id: string): Answered | null => useAnswers((all) => all[id] ?? null);

export const keepAnswered = (answered: Answered): void =>
  useAnswers.setState({ [answered.approval.id]: answered });

/** Waiting approvals and, until the view is left, those answered while it was open. */
export function useShown(asked: readonly Approval[]): readonly Approval[] {
  const [kept, setKept] = useState(asked);
  const shown = withAsked(kept, asked);
  if (shown !== kept) setKept(shown);
  return shown;
}

function withAsked(kept: readonly Approval[], asked: readonly Approval[]): readonly Approval[] {
  const ids = new Set(asked.map((approval) => approval.id));
  const answered = kept.filter((approval) => !ids.has(approval.id)).slice(-keptAnswered);
  const next = [...answered, ...asked].sort((a, b) => a.createdAt - b.createdAt);
  const same = next.length === kept.length && next.every((approval, index) => approval === kept[index]);
  return same ? kept : next;
}

/** Id of the approval whose card had the focus when it was answered. */
let answeredByHand: string | null = null;

/**
 * Returns true once, so that the line that replaces the card takes the focus, which its removed buttons have
 * lost.
 */
export function inheritsFocus(id: string): boolean {
  if (answeredByHand !== id) return false;
  answeredByHand = null;
  return document.activeElement === null || document.activeElement === document.body;
}

export interface Decide {
  readonly busy: boolean;
  readonly error: AppError | null;
  run(answer: ApprovalAnswer): Promise<void>;
}

/**
 * Binds the answer to the digest shown. An answer that comes too late is reported as such, not as an error.
 */
export function useDecide({ id, digest, agentName }: Approval): Decide {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const run = useCallback(
    async (answer: ApprovalAnswer) => {
      answeredByHand = document.activeElement?.closest('[data-ask]') ? id : null;
      setBusy(true);
      setError(null);
      const result = await link.call('approvals.decide', { id, digest, answer, surface: 'window' });
      const truth =
        result.ok || result.error.code !== 'conflict' ? null : await link.call('approvals.get', { id });
      setBusy(false);
      if (result.ok && answer.type === 'not_now') showNotice(t('consent.goesOnWaiting', { name: agentName }));
      else if (result.ok) keepAnswered({ ...result.value, late: false });
      else if (truth?.ok && truth.value.approval.state !== 'waiting') {
        keepAnswered({ ...truth.value, late: true });
        speak(t('consent.somebodyFirst'));
      } else setError(result.error);
    },
    [link, id, digest, agentName],
  );
  return { busy, error, run };
}
