import type { HostContext } from '../context.ts';
import { createAgentSettings } from './agent-settings.ts';
import { createInviteHandlers } from './invite-handlers.ts';
import { createOperatorSpaces } from './operator-spaces.ts';
import { createSentInvites } from './sent-invites.ts';
import { createChannelHandlers, createSpaceHandlers } from './space-handlers.ts';

/** All methods about spaces, channels, members and invitations. */
export function createSpaceRows(context: HostContext) {
  const home = createOperatorSpaces(context);
  return {
    ...createSpaceHandlers(context, home),
    ...createChannelHandlers(context, home),
    ...createInviteHandlers(context, home),
    ...createSentInvites(context, home),
    ...createAgentSettings(context),
  };
}
