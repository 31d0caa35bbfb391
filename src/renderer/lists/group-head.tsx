import { locale } from '../../language/texts.ts';

interface HeadOf {
  readonly title: string;
  readonly count: number;
  /** The level below the heading of the page or list. */
  readonly level: 2 | 3;
}

/** Heading of a group of rows, with their number. */
export function GroupHead({ title, count, level }: HeadOf) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <Heading className="group-head">
      <bdi>{title}</bdi> <span className="soft">{count.toLocaleString(locale())}</span>
    </Heading>
  );
}
