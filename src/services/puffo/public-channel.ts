/** The first public channel of a space that an account has joined; null as long as the server shows none (spec §6.6). */
import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import type { RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

const schema = z.looseObject({
  channels: z
    .array(z.looseObject({ channel_id: z.string().min(1).max(200), is_public: z.boolean().nullish() }))
    .max(10_000),
});

export async function firstPublicChannel(
  client: SignedClient,
  spaceId: string,
): Promise<Result<string | null, RequestError>> {
  const answer = await client.json('GET', `/spaces/${encodeURIComponent(spaceId)}/channels`, schema);
  if (!answer.ok) return answer;
  return ok(answer.value.channels.find((channel) => channel.is_public === true)?.channel_id ?? null);
}
