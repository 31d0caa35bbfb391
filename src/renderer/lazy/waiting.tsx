import { useLayoutEffect } from 'react';
import { t } from '../../language/texts.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { PageMissing, PartMissing } from './part-missing.tsx';
import { keepKeys } from './typed-ahead.ts';

/** Placeholders for chunks that are loading; `missing` is set if loading failed. */
export interface WaitingOf {
  readonly missing: boolean;
}

export function WaitingPage({ missing }: WaitingOf) {
  if (missing) return <PageMissing />;
  return (
    <div className="page">
      <Skeleton words={t('parts.opening')} shape="rows" count={6} />
    </div>
  );
}

export function WaitingList({ missing }: WaitingOf) {
  return (
    <div className="list">
      <div className="list-head" />
      {missing ? <PartMissing /> : <Skeleton words={t('parts.opening')} shape="rows" />}
    </div>
  );
}

/** A dialog has no placeholder; this one only buffers keys. */
export function WaitingDialog({ missing }: WaitingOf) {
  return missing ? (
    <div className="missing-dialog">
      <PartMissing />
    </div>
  ) : (
    <KeysKept />
  );
}

function KeysKept() {
  useLayoutEffect(keepKeys, []);
  return null;
}
