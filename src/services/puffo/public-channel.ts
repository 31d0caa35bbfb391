/**
 * The first public channel of a space that an account has joined; `null` while the server shows none (spec
 * §6.6).
 */

import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import type { ChannelId } from '../../contract/room-id.ts';
import { channelIdSchema } from '../../core/puffo/wire.ts';
import type { RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import { validItems } from './valid-items.ts';

const schema = z.looseObject({
  channels: validItems(z.looseObject({ channel_id: channelIdSchema, is_public: z.boolean().nullish() })),
});

export async function firstPublicChannel(
  client: SignedClient,
  spaceId: string,
): Promise<Result<ChannelId | null, RequestError>> {
  const answer = await client.json('GET', `/spaces/${encodeURIComponent(spaceId)}/channels`, schema);
  if (!answer.ok) return answer;
  return ok(answer.value.channels.find((channel) => channel.is_public === true)?.channel_id ?? null);
}
