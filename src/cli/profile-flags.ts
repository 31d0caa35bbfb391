import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { errorText } from '../contract/errors.ts';
import type { OptionSpec } from './command.ts';
import { commandFailure } from './terminal.ts';

export interface ProfileFlags {
  readonly displayName?: string;
  readonly avatar?: string;
  readonly role?: string;
  readonly roleShort?: string;
  readonly soul?: string;
}

export const profileOptions: readonly OptionSpec[] = [
  { flags: '--display-name <name>' },
  { flags: '--avatar <file>' },
  { flags: '--role <text>' },
  { flags: '--role-short <word>' },
  { flags: '--soul <file>' },
];

const pictureTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};
const maxPictureBytes = 4 * 1024 * 1024;

function readNamedFile(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw commandFailure('invalid_input', 'cliTerminal.fileNotRead', { flag, path, why: errorText(error) });
  }
}

export const readTextFlag = (flag: string, path: string): string =>
  readNamedFile(flag, path).toString('utf8');

function readPicture(path: string): { base64: string; contentType: string } {
  const contentType = pictureTypes[extname(path).toLowerCase()];
  if (!contentType) throw commandFailure('invalid_input', 'cliTerminal.onlyPictures');
  const bytes = readNamedFile('--avatar', path);
  if (bytes.length > maxPictureBytes) throw commandFailure('invalid_input', 'cliTerminal.pictureTooLarge');
  return { base64: bytes.toString('base64'), contentType };
}

/** Profile flags as input of the contract's methods; absent flags stay absent. */
export function profileInput(flags: ProfileFlags) {
  return {
    ...(flags.displayName === undefined ? {} : { displayName: flags.displayName }),
    ...(flags.role === undefined ? {} : { role: flags.role }),
    ...(flags.roleShort === undefined ? {} : { roleShort: flags.roleShort }),
    ...(flags.soul === undefined ? {} : { soul: readTextFlag('--soul', flags.soul) }),
    ...(flags.avatar === undefined ? {} : { avatar: readPicture(flags.avatar) }),
  };
}
