interface SkeletonOf {
  /** What is being read, for those who do not see it. */
  readonly words: string;
  /** `form`: fields with their labels. `rows`: a list. `text`: lines. */
  readonly shape: 'form' | 'rows' | 'text';
  readonly count?: number;
  /** In the frame that it will have. */
  readonly card?: boolean;
}

/** The room of what is being read, so that nothing moves when it comes. */
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
