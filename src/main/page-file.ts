/** Maps a page address to a file below the renderer's folder; everything else has no file. */
import path from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

export interface PageFile {
  readonly file: string;
  readonly contentType: string;
}

function decodedPath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

/** Null for another host, an escape from the folder, an encoded separator or NUL, and a type that pages never use. */
export function pageFile(folder: string, host: string, address: string): PageFile | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.host !== host || /%(2f|5c|00)/i.test(url.pathname)) return null;
  const wanted = decodedPath(url.pathname === '/' ? '/index.html' : url.pathname);
  if (wanted === null || wanted.includes('\\') || wanted.split('/').includes('..')) return null;
  const base = path.resolve(folder);
  const file = path.resolve(base, `.${wanted}`);
  const contentType = types[path.extname(file).toLowerCase()];
  if (contentType === undefined || !file.startsWith(base + path.sep)) return null;
  return { file, contentType };
}
