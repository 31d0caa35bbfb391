/** Serves the built page over HTTP, with the product's own page policy. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageHeaders } from '../../src/contract/page-headers.ts';

const dist = fileURLToPath(new URL('../../dist/renderer', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Answers the request and returns its path. */
export function servePage(request: IncomingMessage, response: ServerResponse): string {
  const path = new URL(request.url ?? '/', 'http://x').pathname;
  const file = join(dist, normalize(path === '/' ? '/index.html' : path));
  if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return path;
  }
  response.writeHead(200, {
    ...pageHeaders,
    'content-type': types[extname(file)] ?? 'application/octet-stream',
  });
  createReadStream(file).pipe(response);
  return path;
}
