import { z } from 'zod';
import type { MethodOutput } from '../../contract/methods.ts';
import { say } from '../../language/say.ts';
import { readResponse } from '../../platform/read-response.ts';
import type { HostPorts } from '../host-ports.ts';

const patienceMs = 5_000;
const maxBytes = 512 * 1024;

/** The format of GitHub's latest-release API. */
const release = z.object({ tag_name: z.string().max(100), html_url: z.string().max(500).optional() });

type Version = readonly [major: number, minor: number, patch: number, final: number];

function versionOf(text: string): Version | null {
  const [, major, minor, patch, early] =
    /^v?(\d{1,6})[.](\d{1,6})[.](\d{1,6})(-.+)?$/.exec(text.trim()) ?? [];
  return major === undefined ? null : [Number(major), Number(minor), Number(patch), early ? 0 : 1];
}

/** A final version is newer than its pre-releases. */
export function isNewer(candidate: string, current: string): boolean {
  const [theirs, ours] = [versionOf(candidate), versionOf(current)];
  if (!theirs || !ours) return false;
  const at = theirs.findIndex((part, index) => part !== ours[index]);
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0);
}

async function textOf(answer: Response): Promise<string> {
  const { text, isWhole } = await readResponse(answer, maxBytes);
  if (!isWhole) throw new Error('the answer is too long');
  return text;
}

/** Asks for the newest release without sending data about this machine; a failure returns a note. */
export async function checkUpdate(
  { version, fetch }: Pick<HostPorts, 'version' | 'fetch'>,
  url: string,
): Promise<MethodOutput<'host.checkUpdate'>> {
  const nothing = { current: version, latest: null, newer: false, page: '' };
  if (!/^https:\/\//.test(url)) {
    return {
      ...nothing,
      note: say('settings.noReleaseAddress'),
    };
  }
  try {
    const headers = { accept: 'application/json', 'user-agent': 'kennel' };
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) });
    const parsed = release.safeParse(JSON.parse(await textOf(answer)));
    if (!answer.ok || !parsed.success) return { ...nothing, note: say('settings.releaseUnreadable') };
    const { tag_name: latest, html_url: page = '' } = parsed.data;
    return { current: version, latest, newer: isNewer(latest, version), page, note: '' };
  } catch {
    return { ...nothing, note: say('settings.releasesUnreachable') };
  }
}
