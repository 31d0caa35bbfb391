import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import type { GapReason, UndoFileView } from '../../contract/undo-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { DiffLines } from '../inbox/preview.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { RadioField } from '../parts/radio-field.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface UndoTargetView {
  readonly point: string;
  readonly whole: 'call' | 'turn';
}

type Plan = MethodOutput<'undo.show'>;

const mostGaps = 10;

/** The changes of a call or turn as diffs, and their revert. */
export function UndoDialog({ target, onClose }: { target: UndoTargetView; onClose(): void }) {
  const { link } = useReplica();
  const { point, whole } = target;
  const [plan, setPlan] = useState<Plan | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [looks, setLooks] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `looks` asks for another reading
  useEffect(() => {
    let gone = false;
    void link.call('undo.show', { point, whole }).then((result) => {
      if (gone) return;
      setPlan(result.ok ? result.value : null);
      setError(result.ok ? null : result.error);
    });
    return () => {
      gone = true;
    };
  }, [link, point, whole, looks]);
  const title =
    plan === null ? t('undo.changes') : t('undo.changesOf', { who: visibleLine(plan.point.agentName) });
  return (
    <Dialog title={title} wide onClose={onClose}>
      {plan === null && error === null && <Skeleton words={t('undo.reading')} shape="text" count={6} />}
      <ErrorNote error={error} />
      {plan !== null && (
        <Shown plan={plan} target={target} onStale={() => setLooks(looks + 1)} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ShownOf {
  readonly plan: Plan;
  readonly target: UndoTargetView;
  onStale(): void;
  onClose(): void;
}

function Shown({ plan, target, onStale, onClose }: ShownOf) {
  const { files, gaps, point, calls, digest } = plan;
  const [changed, setChanged] = useState<'keep' | 'restore'>('keep');
  const { busy, error, run } = useAction('undo.apply');
  const later = files.some(({ state }) => state === 'changed');
  const ready = files.some(({ state }) => state === 'ready') || (later && changed === 'restore');
  const undo = async (): Promise<void> => {
    const done = await run({ ...target, digest, changed });
    if (done.ok) onClose();
    else if (done.error.code === 'conflict') onStale();
  };
  const what = localize(point.title);
  return (
    <>
      <p className="soft">
        {calls > 1
          ? t('undo.ofTurn', { count: calls })
          : visibleLine(what.charAt(0).toUpperCase() + what.slice(1))}
      </p>
      <ul className="undo-files">
        {files.map((file) => (
          <FileChange key={file.path} file={file} />
        ))}
      </ul>
      {gaps.length > 0 && <Gaps gaps={gaps} />}
      {later && (
        <RadioField<'keep' | 'restore'>
          label={t('undo.changedSince')}
          value={changed}
          options={[
            ['keep', t('undo.keep'), t('undo.keepMeans')],
            ['restore', t('undo.restore'), t('undo.restoreMeans')],
          ]}
          onChange={setChanged}
        />
      )}
      <ErrorNote error={error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('parts.cancel')}
        </button>
        <button
          type="button"
          className="button is-primary"
          disabled={busy || !ready}
          onClick={() => void undo()}
        >
          {busy ? t('undo.undoing') : t('undo.undo')}
        </button>
      </footer>
    </>
  );
}

export function FileChange({ file }: { file: UndoFileView }) {
  const { path, change, state, diff, since, cut } = file;
  const name = visibleLine(path);
  return (
    <li>
      <p className="undo-file">
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <span className="fine">
          {t(`undo.${change}`)}
          {state !== 'ready' && `, ${t(`undo.state_${state}`)}`}
        </span>
      </p>
      {diff !== '' && <Diff label={t('undo.diffOf', { name })} body={diff} />}
      {since !== '' && (
        <>
          <p className="fine">{t('undo.sinceThen')}</p>
          <Diff label={t('undo.sinceOf', { name })} body={since} />
        </>
      )}
      {cut && <p className="fine">{t('undo.cut')}</p>}
    </li>
  );
}

const Diff = ({ label, body }: { label: string; body: string }) => (
  <ScrollRegion className="ask-preview is-diff" label={label}>
    <DiffLines body={body} />
  </ScrollRegion>
);

const reasons = {
  too_large: 'undo.gapTooLarge',
  many_names: 'undo.gapManyNames',
  special: 'undo.gapSpecial',
  unreadable: 'undo.gapUnreadable',
  ignored: 'undo.gapIgnored',
  limit: 'undo.gapLimit',
  outside: 'undo.gapOutside',
} as const satisfies Record<GapReason, string>;

export function Gaps({ gaps }: { gaps: Plan['gaps'] }) {
  return (
    <Note tone="plain">
      <p>{t('undo.notCovered')}</p>
      <ul className="fine">
        {gaps.slice(0, mostGaps).map(({ path, why }) => (
          <li key={`${path} ${why}`}>
            <bdi>{visibleLine(path)}</bdi>: {t(reasons[why])}
          </li>
        ))}
        {gaps.length > mostGaps && <li>{t('undo.moreGaps', { count: gaps.length - mostGaps })}</li>}
      </ul>
    </Note>
  );
}
