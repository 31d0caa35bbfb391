/** Serves the renderer as `kennel://app/`: one folder, fixed headers, GET only. */
import { protocol, type Session } from 'electron';
import { pageHeaders } from '../contract/page-headers.ts';
import { readPageFile } from '../host/transport/page-files.ts';
import { noticeAddressPath, noticeStyle } from './notice-page.ts';

const pageScheme = 'kennel';
const pageHost = 'app';
export const pageOrigin = `${pageScheme}://${pageHost}`;

/** Must run before the app is ready. */
export function declarePageScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges }]);
}

const answer = (status: number, contentType: string, body: string | Uint8Array<ArrayBuffer>): Response =>
  new Response(body, { status, headers: { ...pageHeaders, 'content-type': contentType } });

const refused = (status: number, text: string): Response => answer(status, 'text/plain; charset=utf-8', text);

/** `notice()` is the page shown instead of the renderer when the host could not start. */
export function servePages(session: Session, folder: string, notice: () => string): void {
  session.protocol.handle(pageScheme, async (request) => {
    if (request.method !== 'GET') return refused(405, 'Only GET is answered here.');
    const { host, pathname } = new URL(request.url);
    if (host !== pageHost) return refused(404, 'There is no such page.');
    if (pathname === noticeAddressPath) return answer(200, 'text/html; charset=utf-8', notice());
    if (pathname === `${noticeAddressPath}.css`) return answer(200, 'text/css; charset=utf-8', noticeStyle);
    const page = await readPageFile(folder, pathname);
    if (page === null) return refused(404, 'There is no such page.');
    return answer(200, page.contentType, new Uint8Array(page.body));
  });
}
