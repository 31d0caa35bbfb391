import { initials, visibleLine } from '../format/visible-text.ts';

/** Display name in its own `bdi`, so that its text direction cannot affect the surrounding text. */
export function Name({ children }: { children: string }) {
  return <bdi className="name">{visibleLine(children)}</bdi>;
}

function tint(slug: string): number {
  let sum = 0;
  for (const point of slug) sum = (sum * 31 + (point.codePointAt(0) ?? 0)) % 997;
  return sum % 6;
}

/** Picture or initials. Only `data:` pictures are shown; the content security policy blocks all others. */
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
