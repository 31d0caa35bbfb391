import { useEffect, useState } from 'react';
import type { Approval, Receipt } from '../../contract/approvals.ts';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { localize, t } from '../../language/texts.ts';
import { answerWords, surfaceWords } from '../format/consent.ts';
import { exactTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CheckAgain } from '../parts/check-again.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { AllArguments, AskFacts } from './facts.tsx';
import { Preview, useReading } from './preview.tsx';

interface Known {
  readonly approval: Approval;
  readonly receipt: Receipt | null;
}

/** A decided approval with the data it was decided on and the signed receipt. */
export function ApprovalDetails({ id, onClose }: { id: string; onClose(): void }) {
  const { link } = useReplica();
  const [known, setKnown] = useState<Known | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    void link.call('approvals.get', { id }).then((result) => {
      if (result.ok) setKnown(result.value);
      else setError(result.error);
    });
  }, [link, id]);
  return (
    <Dialog title={t('consent.askedAndAnswered')} wide onClose={onClose}>
      <ErrorNote error={error} />
      {known !== null && <Whole {...known} />}
    </Dialog>
  );
}

function Whole({ approval, receipt }: Known) {
  const reading = useReading();
  return (
    <>
      <p>
        <strong>
          <Name>{approval.agentName}</Name>
        </strong>{' '}
        <bdi>{visibleLine(localize(approval.title))}</bdi>
      </p>
      <Preview approval={approval} reading={reading} />
      <AskFacts approval={approval} />
      <AllArguments json={approval.argsJson} />
      <p>
        <strong>{answerWords(approval)}</strong> {surfaceWords(approval)}
        {approval.decision !== null && `, ${exactTime(approval.decision.at)}`}
        {approval.decision?.reason
          ? `: ${t('consent.quoted', { words: visibleLine(localize(approval.decision.reason)) })}`
          : '.'}
      </p>
      {receipt === null ? (
        <p className="soft">{t('consent.noReceipt')}</p>
      ) : (
        <ReceiptFacts receipt={receipt} />
      )}
    </>
  );
}

function ReceiptFacts({ receipt }: { receipt: Receipt }) {
  const facts = [
    [t('consent.receipt'), receipt.id],
    [t('consent.receiptDigest'), receipt.digest],
    [t('consent.receiptKey'), receipt.hostKey],
    [t('consent.receiptSignature'), receipt.signature],
  ] as const;
  return (
    <>
      <dl className="receipt" aria-label={t('consent.receipt')}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{visibleLine(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <VerifyReceipt id={receipt.approvalId} />
    </>
  );
}

/** Asks the host to verify the receipt with its own key. */
function VerifyReceipt({ id }: { id: string }) {
  const verify = useAction('receipts.verify');
  const [found, setFound] = useState<MethodOutput<'receipts.verify'> | null>(null);
  const run = async (): Promise<void> => {
    const result = await verify.run({ id });
    setFound(result.ok ? result.value : null);
  };
  const words = found?.ok
    ? t('consent.verified')
    : t('consent.notVerified', { problem: localize(found?.problem ?? '') });
  return (
    <CheckAgain
      label={verify.busy ? t('consent.verifying') : t('consent.verify')}
      action={verify}
      small
      found={found && { ok: found.ok, words }}
      onCheck={() => void run()}
    />
  );
}
