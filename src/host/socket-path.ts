import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { appError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import type { Layout } from './layout.ts';

/** The kernel's limit is 104 to 108 bytes, its end included. */
const maxPathBytes = 100;

const shortName = (home: string): string => createHash('sha256').update(home).digest('hex').slice(0, 16);

/** A folder of our own in the shared temporary folder: only if nobody else made it before us. */
function privateFolder(): Result<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `kennel-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return ok(folder);
  } catch {
    // Told below: the reason does not change what to do.
  }
  return err(
    appError(
      'io_error',
      'The path of the data folder is too long for a socket, and no safe short place was found.',
      {
        where: folder,
        hint: 'Remove that folder, or set KENNEL_HOME to a shorter path.',
      },
    ),
  );
}

/** Where the host listens for the command line; others read it from host.json. */
export function chooseSocketPath(layout: Layout): Result<string> {
  return choosePlace(layout.socket, layout.home, '');
}

/** `wanted`, or a short place of its own in a temporary folder where that is too long; `suffix` tells sockets apart. */
export function choosePlace(wanted: string, home: string, suffix: string): Result<string> {
  if (process.platform === 'win32') return ok(`\\\\.\\pipe\\kennel-${shortName(home)}${suffix}`);
  if (Buffer.byteLength(wanted) <= maxPathBytes) return ok(wanted);
  const folder = privateFolder();
  return folder.ok ? ok(join(folder.value, `${shortName(home)}${suffix}.sock`)) : folder;
}
