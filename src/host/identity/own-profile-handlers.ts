import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ProfileField } from '../../services/puffo/profile-sync.ts';
import { checkProfile } from '../agents/check-input.ts';
import type { Handlers } from '../dispatch.ts';
import type { Operator } from './operator.ts';
import { notSignedUp } from './peers.ts';
import { operatorProfile } from './profile-holder.ts';
import type { ProfileSync } from './profile-sync.ts';

type OwnMethods = Pick<Handlers, 'profile.own' | 'profile.editOwn'>;

export interface OwnProfileDeps {
  readonly operator: Pick<Operator, 'session' | 'setProfile'>;
  readonly profiles: ProfileSync;
  /** The picture as a data URL; empty if none can be shown. */
  picture(): Promise<string>;
  /** Refreshes everything that shows the operator's name. */
  onChanged(): void;
}

/** Saves the operator's name and picture here first, then retries until the server has them. */
async function edit(deps: OwnProfileDeps, input: MethodParsed<'profile.editOwn'>) {
  const { operator, profiles } = deps;
  const session = operator.session();
  if (!session) return err(notSignedUp);
  const fits = checkProfile(input, false);
  if (!fits.ok) return fits;
  const displayName = input.displayName?.trim();
  const renamed = displayName !== undefined && displayName !== session.record.displayName;
  const fields: ProfileField[] = renamed ? ['displayName'] : [];
  const picture = input.avatar ? new Uint8Array(Buffer.from(input.avatar.base64, 'base64')) : null;
  const noted = profiles.noted(operatorProfile, fields, picture);
  if (!noted.ok) return noted;
  const saved: Result<void> = renamed ? operator.setProfile({ displayName }) : ok(undefined);
  if (!saved.ok) return saved;
  const warning = await profiles.push(operatorProfile);
  deps.onChanged();
  return ok({ warning });
}

export function createOwnProfileHandlers(deps: OwnProfileDeps): OwnMethods {
  return {
    'profile.own': async () => {
      const session = deps.operator.session();
      if (!session) return err(notSignedUp);
      const { slug, displayName, serverUrl } = session.record;
      const { fields } = deps.profiles.waiting(operatorProfile);
      const picture = await deps.picture();
      return ok({ slug, displayName, serverUrl, picture, untold: fields.length > 0 });
    },
    'profile.editOwn': (input) => edit(deps, input),
  };
}
