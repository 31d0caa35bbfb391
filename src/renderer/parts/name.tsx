import { initials, visibleLine } from '../words/visible-text.ts';

/** Somebody's name: isolated, so that its direction cannot disturb what stands around it. */
export function Name({ children }: { children: string }) {
  return <bdi className="name">{visibleLine(children)}</bdi>;
}

function tint(slug: string): number {
  let sum = 0;
  for (const point of slug) sum = (sum * 31 + (point.codePointAt(0) ?? 0)) % 997;
  return sum % 6;
}

/** Initials on a quiet tile; a picture only when it came with the page (the policy refuses all others). */
export function Avatar({ name, slug, url = '', agent }: AvatarOf) {
  const own = /^data:image\/(png|jpeg|webp|gif);base64,/.test(url);
  return (
    <span className={`avatar tint-${tint(slug)}${agent ? ' is-agent' : ''}`} aria-hidden="true">
      {own ? <img src={url} alt="" /> : initials(name)}
    </span>
  );
}

interface AvatarOf {
  readonly name: string;
  readonly slug: string;
  readonly url?: string;
  readonly agent: boolean;
}
