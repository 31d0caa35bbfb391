/** Every HTTP route of the relay, with the key that must sign it. */
import {
  endProcessing,
  endProcessingBatch,
  heartbeat,
  listRuns,
  readStatus,
  readStatuses,
  startProcessing,
} from './activity-routes.ts';
import { downloadBlobRoute, uploadBlobRoute } from './blob-routes.ts';
import {
  allowContactRoute,
  blockContactRoute,
  changeContactSetting,
  forgetContactRoute,
  forgetNamedContacts,
  readBlocked,
  readContacts,
} from './contacts.ts';
import { answer, type RelayRoute } from './context.ts';
import { sendCoordinated } from './coordinated-send.ts';
import { beginEnrolment, completeEnrolment, readEnrolment } from './enrol-routes.ts';
import { postEvents } from './event-routes.ts';
import { listLinks, redeemLinkRoute, serveLinkPreview } from './link-routes.ts';
import { acknowledgeMessages, listPending, sendMessage, sendPlaintext } from './message-routes.ts';
import { changeProfile, readProfiles } from './profile-routes.ts';
import { activeDevicesOf, addSubkey, revokeDeviceRoute, syncCerts } from './registry-routes.ts';
import { claimReminder, listReminders, putReminder, replaceReminder } from './reminders.ts';
import { retireAgent } from './retire-agent.ts';
import { appendEvents } from './runtime-events.ts';
import { bindSlug, registerAgentRoute, signUpRoute } from './sign-up.ts';
import {
  changeSettings,
  listChannelMembers,
  listChannels,
  listEvents,
  listInvites,
  listSpaceMembers,
  listSpaces,
  readSettings,
} from './space-routes.ts';
import {
  archiveSpace,
  changeChannel,
  changeSpace,
  deleteChannel,
  deleteSpace,
} from './space-settings-routes.ts';

const channelPath = '/spaces/:space/channels/:channel';
const remindersPath = '/v2/agent-runtime/reminder-occurrences';
const linksPath = '/v2/invitations/links';
const settingsPath = '/spaces/:space/members/me/settings';

export const routes: readonly RelayRoute[] = [
  {
    method: 'GET',
    path: '/',
    signer: 'open',
    handle: (context) =>
      answer({ server: 'kennel-relay', protocol: 'v1', server_public_key: context.serverKey.publicKey }),
  },
  { method: 'POST', path: '/signup', signer: 'open', handle: signUpRoute },
  { method: 'POST', path: '/certs/slug_binding', signer: 'open', handle: bindSlug },
  { method: 'POST', path: '/agents', signer: 'subkey', handle: registerAgentRoute },
  { method: 'POST', path: '/agents/:slug/operator/revoke', signer: 'subkey', handle: retireAgent },
  { method: 'GET', path: '/certs/sync', signer: 'subkey', handle: syncCerts },
  { method: 'GET', path: '/certs/active', signer: 'subkey', handle: activeDevicesOf },
  { method: 'POST', path: '/devices/subkeys', signer: 'device', handle: addSubkey },
  { method: 'POST', path: '/devices/:id/revoke', signer: 'subkey', handle: revokeDeviceRoute },
  { method: 'POST', path: '/devices/enroll/init', signer: 'open', scarce: true, handle: beginEnrolment },
  { method: 'GET', path: '/devices/enroll/:nonce', signer: 'optional', handle: readEnrolment },
  { method: 'POST', path: '/devices/enroll/:nonce/complete', signer: 'subkey', handle: completeEnrolment },
  { method: 'GET', path: '/allowlists', signer: 'subkey', handle: readContacts },
  { method: 'PATCH', path: '/allowlists', signer: 'subkey', handle: changeContactSetting },
  { method: 'POST', path: '/allowlists', signer: 'subkey', handle: allowContactRoute },
  { method: 'DELETE', path: '/allowlists', signer: 'subkey', handle: forgetNamedContacts('allow') },
  { method: 'DELETE', path: '/allowlists/:slug', signer: 'subkey', handle: forgetContactRoute('allow') },
  { method: 'GET', path: '/blocklists', signer: 'subkey', handle: readBlocked },
  { method: 'POST', path: '/blocklists', signer: 'subkey', handle: blockContactRoute },
  { method: 'DELETE', path: '/blocklists', signer: 'subkey', handle: forgetNamedContacts('block') },
  { method: 'DELETE', path: '/blocklists/:slug', signer: 'subkey', handle: forgetContactRoute('block') },
  { method: 'GET', path: '/spaces', signer: 'subkey', handle: listSpaces },
  { method: 'POST', path: '/spaces/events', signer: 'subkey', handle: postEvents },
  { method: 'PATCH', path: '/spaces/:space', signer: 'subkey', handle: changeSpace },
  { method: 'DELETE', path: '/spaces/:space', signer: 'subkey', handle: deleteSpace },
  { method: 'POST', path: '/spaces/:space/archive', signer: 'subkey', handle: archiveSpace(true) },
  { method: 'POST', path: '/spaces/:space/unarchive', signer: 'subkey', handle: archiveSpace(false) },
  { method: 'PATCH', path: channelPath, signer: 'subkey', handle: changeChannel },
  { method: 'DELETE', path: channelPath, signer: 'subkey', handle: deleteChannel },
  { method: 'GET', path: '/spaces/:space/events', signer: 'subkey', handle: listEvents },
  { method: 'GET', path: '/spaces/:space/members', signer: 'subkey', handle: listSpaceMembers },
  { method: 'GET', path: '/spaces/:space/channels', signer: 'subkey', handle: listChannels },
  {
    method: 'GET',
    path: '/spaces/:space/channels/:channel/members',
    signer: 'subkey',
    handle: listChannelMembers,
  },
  { method: 'GET', path: settingsPath, signer: 'subkey', handle: readSettings },
  { method: 'PATCH', path: settingsPath, signer: 'subkey', handle: changeSettings },
  { method: 'GET', path: '/invites', signer: 'subkey', handle: listInvites },
  { method: 'GET', path: linksPath, signer: 'subkey', handle: listLinks },
  { method: 'POST', path: `${linksPath}/look`, signer: 'open', scarce: true, handle: serveLinkPreview },
  { method: 'POST', path: `${linksPath}/redeem`, signer: 'subkey', scarce: true, handle: redeemLinkRoute },
  { method: 'GET', path: '/identities/profiles', signer: 'subkey', handle: readProfiles },
  { method: 'PATCH', path: '/identities/self', signer: 'subkey', handle: changeProfile },
  { method: 'POST', path: '/messages', signer: 'subkey', handle: sendMessage },
  { method: 'POST', path: '/v2/messages/plaintext', signer: 'subkey', handle: sendPlaintext },
  {
    method: 'POST',
    path: '/v2/agent-runtime/messages:send',
    signer: 'subkey',
    handle: sendCoordinated,
  },
  { method: 'POST', path: '/v2/agent-runtime/events:append', signer: 'subkey', handle: appendEvents },
  { method: 'GET', path: remindersPath, signer: 'subkey', handle: listReminders },
  { method: 'PUT', path: `${remindersPath}/:id`, signer: 'subkey', handle: putReminder },
  { method: 'POST', path: `${remindersPath}/:id/delivery-claim`, signer: 'subkey', handle: claimReminder },
  { method: 'POST', path: `${remindersPath}/:id/replace`, signer: 'subkey', handle: replaceReminder },
  { method: 'GET', path: '/messages/pending', signer: 'subkey', handle: listPending },
  { method: 'POST', path: '/messages/ack', signer: 'subkey', handle: acknowledgeMessages },
  {
    method: 'POST',
    path: '/messages/processing/end:batch',
    signer: 'subkey',
    handle: endProcessingBatch,
  },
  { method: 'POST', path: '/messages/:id/processing/start', signer: 'subkey', handle: startProcessing },
  { method: 'POST', path: '/messages/:id/processing/end', signer: 'subkey', handle: endProcessing },
  { method: 'GET', path: '/messages/:id/processing', signer: 'subkey', handle: listRuns },
  { method: 'POST', path: '/agents/me/heartbeat', signer: 'subkey', handle: heartbeat },
  { method: 'POST', path: '/agents/status:batch', signer: 'subkey', handle: readStatuses },
  { method: 'GET', path: '/agents/:slug/status', signer: 'optional', handle: readStatus },
  { method: 'POST', path: '/blobs/upload', signer: 'subkey', rawBytes: 'blob', handle: uploadBlobRoute },
  { method: 'GET', path: '/blobs/:id', signer: 'subkey', handle: downloadBlobRoute },
];
