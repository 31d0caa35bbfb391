/** A channel argument of a tool is an id, or a person's slug; a channel name is refused. */
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { MessagingPort } from '../../../core/tools/chat-ports.ts';
import { plainName } from '../files/shown-path.ts';

/** Names are not unique and anyone can choose one; ids and slugs are unique. */
export function checkChannel(channel: string): Result<string> {
  if (!channel.startsWith('#')) return ok(channel);
  return err(
    fail(
      'invalid_input',
      'tools.channelNameGiven',
      { plainName: plainName(channel) },
      { help: 'tools.useChannelId' },
    ),
  );
}

/** The channel's name for the approver, with its id beside it, since anyone can choose a name. */
export async function shownChannel(
  chat: Pick<MessagingPort, 'channelName'>,
  channel: string,
): Promise<string> {
  const name = await chat.channelName(channel);
  return name === '' ? plainName(channel) : `#${plainName(name)} (${plainName(channel)})`;
}
