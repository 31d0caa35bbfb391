import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fail } from '../contract/fail.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { sha256Hex } from '../platform/sha256.ts';
import type { Layout } from './layout.ts';

/** The kernel's limit is 104 to 108 bytes, including the terminator. */
const maxPathBytes = 100;

const shortName = (home: string): string => sha256Hex(home).slice(0, 16);

/** A private folder in the shared temporary folder; fails if another user created it. */
function privateFolder(): Result<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `kennel-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return ok(folder);
  } catch {
    // Reported below; the reason does not change the hint.
  }
  return err(fail('io_error', 'host.dataPathTooLong', {}, { help: 'host.setShorterHome', where: folder }));
}

/** Path of the socket for the command line; clients read it from host.json. */
export function chooseSocketPath(layout: Layout): Result<string> {
  return choosePlace(layout.socket, layout.home, '');
}

/** `wanted`, or a short path in a temporary folder if that is too long; `suffix` distinguishes sockets. */
export function choosePlace(wanted: string, home: string, suffix: string): Result<string> {
  if (process.platform === 'win32') return ok(`\\\\.\\pipe\\kennel-${shortName(home)}${suffix}`);
  if (Buffer.byteLength(wanted) <= maxPathBytes) return ok(wanted);
  const folder = privateFolder();
  return folder.ok ? ok(join(folder.value, `${shortName(home)}${suffix}.sock`)) : folder;
}
