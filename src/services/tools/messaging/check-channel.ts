/** A channel as tools take it: by its id, or a person by slug; a name would be anybody's to choose. */
import { appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { MessagingPort } from '../../../core/chat-ports.ts';
import { plainName } from '../files/shown-path.ts';

/** Names are not unique and anybody can choose one; ids and slugs are. */
export function checkChannel(channel: string): Result<string> {
  if (!channel.startsWith('#')) return ok(channel);
  return err(
    appError(
      'invalid_input',
      `"${plainName(channel)}" is the name of a channel. Names are not unique, so they are not taken.`,
      {
        hint: 'Use its id; list_channels shows it.',
      },
    ),
  );
}

/** With its name for whoever is asked; the id stays beside it, since anybody can choose a name. */
export async function shownChannel(
  chat: Pick<MessagingPort, 'channelName'>,
  channel: string,
): Promise<string> {
  const name = await chat.channelName(channel);
  return name === '' ? plainName(channel) : `#${plainName(name)} (${plainName(channel)})`;
}
