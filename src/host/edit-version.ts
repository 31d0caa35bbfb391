/**
 * Versions of settings that a form edits. A form sends the version that it loaded; a save with an older one is
 * rejected and changes nothing.
 */
import { fail } from '../contract/fail.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { sha256Hex } from '../platform/sha256.ts';

/** Digest of the values; equal values have equal versions. */
export const versionOf = (values: unknown): string => sha256Hex(JSON.stringify(values)).slice(0, 16);

/** `conflict` if the caller named another version than the current one. */
export const checkVersion = (given: string | undefined, current: string): Result<void> =>
  given === undefined || given === current ? ok(undefined) : err(changedElsewhere);

const changedElsewhere = fail('conflict', 'settings.changedElsewhere', {}, { help: 'settings.checkChanges' });
