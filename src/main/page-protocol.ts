/**
 * Serves the renderer as `kennel://app/`: one folder, fixed headers, GET only; also serves the shell's pages.
 */
import { protocol, type Session } from 'electron';
import { pageHeaders } from '../contract/page-headers.ts';
import { readPageFile } from '../host/transport/page-files.ts';
import { type ShellPage, shellHeaders, shellHtml, shellStyle, shellStylePath } from './shell-pages.ts';

const pageScheme = 'kennel';
const pageHost = 'app';
export const pageOrigin = `${pageScheme}://${pageHost}`;

/** Must run before the app is ready. */
export function declarePageScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges }]);
}

type Headers = Readonly<Record<string, string>>;

const answer = (
  status: number,
  contentType: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Headers = pageHeaders,
): Response => new Response(body, { status, headers: { ...headers, 'content-type': contentType } });

const refused = (status: number, text: string): Response => answer(status, 'text/plain; charset=utf-8', text);

/** `shellPage` returns the shell's page for a path, or `null` for any other path. */
export function servePages(
  session: Session,
  folder: string,
  shellPage: (path: string) => ShellPage | null,
): void {
  session.protocol.handle(pageScheme, async (request) => {
    if (request.method !== 'GET') return refused(405, 'Only GET is answered here.');
    const { host, pathname } = new URL(request.url);
    if (host !== pageHost) return refused(404, 'There is no such page.');
    if (pathname === shellStylePath) return answer(200, 'text/css; charset=utf-8', shellStyle, shellHeaders);
    const shell = shellPage(pathname);
    if (shell) return answer(200, 'text/html; charset=utf-8', shellHtml(shell), shellHeaders);
    const page = await readPageFile(folder, pathname);
    if (page === null) return refused(404, 'There is no such page.');
    return answer(200, page.contentType, new Uint8Array(page.body));
  });
}
