interface SkeletonOf {
  /** Names the loading content for screen readers. */
  readonly words: string;
  /** `form`: labelled fields; `rows`: a list; `text`: lines. */
  readonly shape: 'form' | 'rows' | 'text';
  readonly count?: number;
  /** Draws the card around it, if the content has one. */
  readonly card?: boolean;
}

/** Placeholder with the size of the content, so that the layout does not shift. */
export function Skeleton({ words, shape, count = 4, card = false }: SkeletonOf) {
  return (
    <div className={`skeleton is-${shape}${card ? ' card' : ''}`} role="status">
      <span className="visually-hidden">{words}</span>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <span key={at} className="skeleton-part" aria-hidden="true" />
      ))}
    </div>
  );
}
