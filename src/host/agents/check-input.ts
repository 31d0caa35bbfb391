import { didYouMean } from '../../contract/did-you-mean.ts';
import { appError, withHint } from '../../contract/errors.ts';
import { imageType } from '../../contract/image-facts.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type RuntimeKind, runtimeKindFacts } from '../../contract/runtime-kinds.ts';
import { permissionModes } from '../../core/agents/permission-mode.ts';
import { checkTriple, effectiveTriple, type RuntimeTriple } from '../../core/agents/runtime-triple.ts';
import { codePointLength } from '../../core/lib/text.ts';
import { providerIds, providerInfo } from '../../core/models/providers.ts';
import { roleLimit, roleShortLimit } from '../../core/puffo/role.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

const displayNameLimit = 60;
const maxAvatarBytes = 4 * 1024 * 1024;

const bad = (where: string, message: HostMessage, hint?: HostMessage): Result<never> =>
  err(appError('invalid_input', message, { where, ...(hint ? { hint } : {}) }));

export interface ProfileInput {
  readonly displayName?: string | undefined;
  readonly role?: string | undefined;
  readonly roleShort?: string | undefined;
  readonly avatar?: { readonly base64: string; readonly contentType: string } | undefined;
}

/** Limits of spec §6.7, in code points. `hasRole` is true if the agent already has a role. */
export function checkProfile(input: ProfileInput, hasRole: boolean): Result<void> {
  const { displayName, role, roleShort, avatar } = input;
  if (displayName !== undefined && displayName.trim() === '')
    return bad('displayName', say('agents.nameEmpty'));
  if (codePointLength(displayName ?? '') > displayNameLimit) {
    return bad('displayName', say('agents.nameTooLong', { n: displayNameLimit }));
  }
  if (codePointLength(role ?? '') > roleLimit)
    return bad('role', say('agents.roleTooLong', { n: roleLimit }));
  if (codePointLength(roleShort ?? '') > roleShortLimit) {
    return bad('roleShort', say('agents.shortRoleTooLong', { n: roleShortLimit }));
  }
  if (roleShort && !(role ?? (hasRole ? 'yes' : ''))) {
    return bad('roleShort', say('agents.shortRoleNeedsRole'), say('agents.giveBothRoles'));
  }
  return avatar ? checkPicture(avatar.base64) : ok(undefined);
}

/** The first bytes decide the type; the declared type is ignored. */
function checkPicture(base64: string): Result<void> {
  if (Buffer.byteLength(base64, 'base64') > maxAvatarBytes) {
    return bad('avatar', say('agents.pictureTooLarge'));
  }
  if (imageType(Buffer.from(base64, 'base64')) !== null) return ok(undefined);
  return bad('avatar', say('agents.unsupportedPicture'), say('agents.usePictureFormat'));
}

/** An empty provider stands for the default. */
export function checkProvider(where: string, provider: string | undefined): Result<void> {
  if (!provider || providerInfo(provider)) return ok(undefined);
  const close = didYouMean(provider, providerIds);
  return bad(
    where,
    close
      ? say('models.providerMeant', { name: provider, close })
      : say('models.unknownProviderName', { name: provider }),
    say('models.useOneOf', { names: providerIds.join(', ') }),
  );
}

export interface RuntimeInput {
  readonly provider?: string | undefined;
  readonly kind?: RuntimeKind | undefined;
  readonly permissionMode?: string | undefined;
  readonly maxTurns?: number | undefined;
  readonly baseUrl?: string | undefined;
}

export function checkRuntime(input: RuntimeInput): Result<void> {
  const { permissionMode, maxTurns, baseUrl } = input;
  if (maxTurns !== undefined && maxTurns < 1) return bad('maxTurns', say('agents.maxTurnsTooSmall'));
  if (permissionMode !== undefined && !permissionModes.some((mode) => mode === permissionMode)) {
    const modes = permissionModes.join(', ');
    return bad('permissionMode', say('agents.unknownPermissionMode', { mode: permissionMode, modes }));
  }
  if (baseUrl && !/^https?:\/\/[^\s]+$/.test(baseUrl)) {
    return bad('baseUrl', say('agents.invalidBaseUrl'));
  }
  // Addresses are stored in plain text and shown (T18).
  const url = baseUrl ? URL.parse(baseUrl) : null;
  if (url && `${url.username}${url.password}` !== '') {
    return bad('baseUrl', say('agents.baseUrlHoldsSecret'), say('agents.storeAsKey'));
  }
  return checkProvider('provider', input.provider);
}

/**
 * Checks kind, provider and harness together (spec §7). Kinds without a program accept every known provider;
 * the others accept only what their program supports.
 */
export function checkWholeRuntime(runtime: RuntimeTriple & { readonly kind: RuntimeKind }): Result<void> {
  if (runtimeKindFacts(runtime.kind).callsModel) return ok(undefined);
  const checked = checkTriple(runtime);
  if (checked.ok) return ok(undefined);
  const fitting = effectiveTriple({ ...runtime, harness: '' }).harness;
  const isGiven = fitting === '' || fitting === runtime.harness;
  return err(isGiven ? checked.error : withHint(checked.error, say('agents.giveHarness', { fitting })));
}
