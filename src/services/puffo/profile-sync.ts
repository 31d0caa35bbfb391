/**
 * Pushes an own profile to the server (spec §2.2): a picture is downloaded again and compared before it is
 * published, and a later change on the server is reported, never overwritten.
 */
import { z } from 'zod';
import { type AppError, appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { equalBytes } from '../../core/lib/bytes.ts';
import { absoluteAvatarUrl } from '../../core/puffo/avatar-url.ts';
import { say } from '../../language/say.ts';
import type { Account, ProfileChange } from './account-types.ts';
import { isTransient, plainError, type RequestError } from './request-error.ts';

export type ProfileField = 'displayName' | 'role' | 'roleShort';

/** The profile on the server; untrusted, so any text is possible. */
export interface RemoteProfile {
  readonly displayName: string;
  readonly role: string;
  readonly roleShort: string;
  readonly avatarUrl: string;
  /** ms by the server's clock; 0 if the server gives none. */
  readonly updatedAt: number;
}

export interface ProfilePush {
  readonly values: Readonly<Partial<Record<ProfileField, string>>>;
  readonly picture: Uint8Array | null;
  /** Base URL of published pictures. */
  readonly serverUrl: string;
  /** URL of a picture that an earlier attempt uploaded and verified; it is not uploaded twice. */
  readonly uploadedUrl: string | null;
  /** ms by the server's clock; a later change on the server was made elsewhere. */
  readonly editedAt: number;
  /** Called once the picture is uploaded and verified, before it is published. */
  onUploaded(avatarUrl: string): void;
}

export type PushOutcome =
  | { readonly type: 'synced'; readonly avatarUrl: string | null; readonly updatedAt: number }
  /** The profile was changed elsewhere later, so it was left unchanged. */
  | { readonly type: 'overtaken'; readonly remote: RemoteProfile };

export interface PushFault {
  readonly error: AppError;
  /** True if a retry may succeed. */
  readonly transient: boolean;
}

type PushAccount = Pick<Account, 'slug' | 'client' | 'uploadBlob' | 'downloadBlob' | 'updateProfile'>;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const answerSchema = z.looseObject({
  profiles: z.array(
    z.looseObject({
      slug: z.string(),
      display_name: text,
      role: text,
      role_short: text,
      avatar_url: text,
      profile_updated_at: z.number().nullish(),
    }),
  ),
});

const fault = (error: AppError, transient: boolean): Result<never, PushFault> =>
  err({ error: plainError(error), transient });
const ofServer = (error: RequestError) => fault(error, isTransient(error));
/** Decides for errors of whole steps; a refusal is final. */
const mayPass = ({ code }: AppError): boolean =>
  ['unavailable', 'timeout', 'rate_limited', 'unauthenticated', 'protocol', 'cancelled'].includes(code);

async function readOwn(account: PushAccount): Promise<Result<RemoteProfile | null, PushFault>> {
  const target = `/identities/profiles?slugs=${encodeURIComponent(account.slug)}`;
  const answer = await account.client.json('GET', target, answerSchema);
  if (!answer.ok) return ofServer(answer.error);
  const own = answer.value.profiles.find(({ slug }) => slug === account.slug);
  if (!own) return ok(null);
  return ok({
    displayName: own.display_name,
    role: own.role,
    roleShort: own.role_short,
    avatarUrl: own.avatar_url,
    updatedAt: own.profile_updated_at ?? 0,
  });
}

const fields = ['displayName', 'role', 'roleShort'] as const;

const holds = (
  remote: RemoteProfile,
  { values, picture, uploadedUrl }: Pick<ProfilePush, 'values' | 'picture' | 'uploadedUrl'>,
): boolean =>
  (picture === null || (uploadedUrl !== null && remote.avatarUrl === uploadedUrl)) &&
  fields.every((field) => values[field] === undefined || values[field] === remote[field]);

const synced = (push: ProfilePush, remote: RemoteProfile | null, avatarUrl: string | null) =>
  ok({
    type: 'synced' as const,
    avatarUrl: push.picture === null ? null : avatarUrl,
    updatedAt: remote?.updatedAt ?? 0,
  });

/** Returns the picture's URL once the server returns exactly the uploaded bytes. */
async function uploadPicture(account: PushAccount, bytes: Uint8Array): Promise<Result<string, PushFault>> {
  const blob = await account.uploadBlob(bytes);
  if (!blob.ok) return fault(blob.error, mayPass(blob.error));
  const back = await account.downloadBlob(blob.value.blobId);
  if (!back.ok) return fault(back.error, mayPass(back.error) || back.error.code === 'not_found');
  if (equalBytes(back.value, bytes)) return ok(`/blobs/${blob.value.blobId}`);
  const changed = say('server.pictureMismatch');
  return fault(appError('protocol', changed), true);
}

async function pictureUrl(
  account: PushAccount,
  push: ProfilePush,
): Promise<Result<string | null, PushFault>> {
  if (push.picture === null || push.uploadedUrl !== null) return ok(push.uploadedUrl);
  const uploaded = await uploadPicture(account, push.picture);
  if (!uploaded.ok) return uploaded;
  const address = absoluteAvatarUrl(uploaded.value, push.serverUrl);
  push.onUploaded(address);
  return ok(address);
}

function changeOf(values: ProfilePush['values'], avatarUrl: string | null): ProfileChange {
  const { displayName, role, roleShort } = values;
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(role === undefined ? {} : { role }),
    ...(role === undefined || role === '' || roleShort === undefined ? {} : { roleShort }),
    ...(avatarUrl === null ? {} : { avatarUrl }),
  };
}

/** Makes one attempt. A short role is sent only together with a role, so callers give both. */
export async function pushProfile(
  account: PushAccount,
  asked: ProfilePush,
): Promise<Result<PushOutcome, PushFault>> {
  const { uploadedUrl: earlier, serverUrl } = asked;
  const push = { ...asked, uploadedUrl: earlier === null ? null : absoluteAvatarUrl(earlier, serverUrl) };
  const before = await readOwn(account);
  if (!before.ok) return before;
  const remote = before.value;
  if (remote && holds(remote, push)) return synced(push, remote, push.uploadedUrl);
  if (remote && remote.updatedAt > push.editedAt) return ok({ type: 'overtaken', remote });
  const picture = await pictureUrl(account, push);
  if (!picture.ok) return picture;
  const changed = await account.updateProfile(changeOf(push.values, picture.value));
  if (!changed.ok) return fault(changed.error, mayPass(changed.error));
  const after = await readOwn(account);
  if (!after.ok) return after;
  const told = { ...push, uploadedUrl: picture.value };
  if (after.value === null || holds(after.value, told)) return synced(push, after.value, picture.value);
  return fault(fail('protocol', 'server.profileNotUpdated'), true);
}
