import type { MethodParsed } from '../../contract/methods.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ProfileField } from '../../services/puffo/profile-sync.ts';
import { checkProfile } from '../agents/check-input.ts';
import { createPictures } from '../agents/pictures.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { notSignedUp } from './peers.ts';
import { operatorProfile } from './profile-holder.ts';

type OwnMethods = Pick<Handlers, 'profile.own' | 'profile.editOwn'>;

/** Saves the operator's name and picture here first, then retries until the server has them. */
async function edit(context: HostContext, input: MethodParsed<'profile.editOwn'>) {
  const { operator, identity } = context;
  const session = operator.session();
  if (!session) return notSignedUp();
  const fits = checkProfile(input, false);
  if (!fits.ok) return fits;
  const displayName = input.displayName?.trim();
  const renamed = displayName !== undefined && displayName !== session.record.displayName;
  const fields: ProfileField[] = renamed ? ['displayName'] : [];
  const picture = input.avatar ? new Uint8Array(Buffer.from(input.avatar.base64, 'base64')) : null;
  const noted = identity.profiles.noted(operatorProfile, fields, picture);
  if (!noted.ok) return noted;
  const saved: Result<void> = renamed ? operator.setProfile({ displayName }) : ok(undefined);
  if (!saved.ok) return saved;
  const warning = await identity.profiles.push(operatorProfile);
  context.chat.roomsChanged();
  context.viewChanged();
  return ok({ warning });
}

export function createOwnProfileHandlers(context: HostContext): OwnMethods {
  const pictures = createPictures(context);
  return {
    'profile.own': async () => {
      const session = context.operator.session();
      if (!session) return notSignedUp();
      const { slug, displayName, serverUrl } = session.record;
      const { fields } = context.identity.profiles.waiting(operatorProfile);
      const picture = await pictures.own();
      return ok({ slug, displayName, serverUrl, picture, untold: fields.length > 0 });
    },
    'profile.editOwn': (input) => edit(context, input),
  };
}
