import { ok, type Result } from '../../contract/result.ts';
import type { ChannelId, SpaceId } from '../../contract/room-id.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { ownSpaceName } from '../agents/register-agent.ts';
import type { Operator } from '../identity/operator.ts';
import type { DemoRecord } from './demo-file.ts';

export interface DemoSpace {
  readonly spaceId: SpaceId;
  readonly channelId: ChannelId;
}

/** Finds the demo's space and channel at the server, or makes them. */
export async function openDemoSpace(
  operator: Pick<Operator, 'setHomeSpace'>,
  account: Account,
  record: DemoRecord,
): Promise<Result<DemoSpace>> {
  const refreshed = await account.refreshRooms();
  if (!refreshed.ok) return refreshed;
  const find = () => {
    const { spaces, channels } = account.rooms();
    const space = spaces.find(({ id, name }) =>
      record.spaceId ? id === record.spaceId : name === ownSpaceName,
    );
    const channel = channels.find(({ spaceId }) => spaceId === space?.id);
    return space && channel ? { spaceId: space.id, channelId: channel.id } : null;
  };
  let place = find();
  if (!place) {
    const created = await account.createSpace(ownSpaceName);
    if (!created.ok) return created;
    place = { spaceId: created.value.spaceId, channelId: created.value.generalChannelId };
    await account.refreshRooms();
  }
  const home = operator.setHomeSpace(place.spaceId);
  return home.ok ? ok(place) : home;
}
