/** Reads the body of an XML call: its first parameter, otherwise its text, with entities and CDATA decoded. */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
    ? String.fromCodePoint(code)
    : whole;
}

const decodeText = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});/g, decodeEntity);

const cdataStart = '<![CDATA[';
const cdataEnd = ']]>';

/** Text up to `until`, which is not looked for inside of CDATA; up to the end if it is `null` or missing. */
function readText(source: string, from: number, until: string | null): string {
  const endFrom = (start: number): number => {
    const found = until === null ? -1 : source.indexOf(until, start);
    return found === -1 ? source.length : found;
  };
  const pieces: string[] = [];
  let at = from;
  let end = endFrom(from);
  for (;;) {
    const open = source.indexOf(cdataStart, at);
    if (open === -1 || open >= end) break;
    pieces.push(decodeText(source.slice(at, open)));
    const close = source.indexOf(cdataEnd, open);
    const inner = close === -1 ? source.length : close;
    pieces.push(source.slice(open + cdataStart.length, inner));
    at = Math.min(source.length, inner + cdataEnd.length);
    if (at > end) end = endFrom(at);
  }
  pieces.push(decodeText(source.slice(at, Math.max(at, end))));
  return pieces.join('');
}

const parameterTag = /<parameter(?:\s[^<>]{0,1000})?>/g;

/** `inner` is the text between the tags of the call. */
export function readXmlBody(inner: string): string {
  const tag = new RegExp(parameterTag).exec(inner);
  const cdata = inner.indexOf(cdataStart);
  const isParameter = tag !== null && (cdata === -1 || tag.index < cdata);
  if (!isParameter) return readText(inner, 0, null).trim();
  return readText(inner, tag.index + tag[0].length, '</parameter>')
    .replace(/^\r?\n/, '')
    .replace(/\r?\n$/, '');
}
