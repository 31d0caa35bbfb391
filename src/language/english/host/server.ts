export const server = {
  askAnotherWayHappened:
    'Ask in another way what happened. To talk in the clear, make a new channel that is not encrypted.',
  askWhoeverRunsServer: 'Ask whoever runs your server for an invite, or start one with "kennel relay".',
  channelTurnedPlain:
    'The server says only now that this channel is not encrypted. Nothing was sent in the clear.',
  deviceRevoked:
    'This device was revoked: {slug} shut it out from another device. It gets no message any more and can send none.',
  fileNotKept: 'A file of it is not kept here any more.',
  hostRunsNoRelay: 'This host runs no relay of its own.',
  identityKeyKeyFile:
    "The identity key in {slug}'s key file is not the one this computer knows for that name. Nothing is sent or read until the key file is the right one.",
  jsonNestsTooDeep: 'The JSON nests too deep.',
  keyFileLacksCertificates: 'Your key file lacks the certificates that a new device needs.',
  keysDeviceNotMade: 'The keys of this device could not be made.',
  messageLongerServerTakes: 'The message is longer than a server takes.',
  messageNoRoomGo: 'The message has no room to go to.',
  noDeviceRead: '{slug} has no device that could read it.',
  notCodeDevice: 'That is not the code of a device: it has twelve letters and digits.',
  notJson: 'That is not JSON.',
  operatorKeyFileNot: "The operator's key file does not fit its certificate.",
  read: 'What is here can still be read. To come back as a new device, use another data folder (KENNEL_HOME) and "kennel operator enrol" there.',
  relayInsideKennelNot: 'The relay inside Kennel could not start: {message}.',
  sealedMessageOutboxCannot: 'The sealed message in the outbox cannot be read.',
  sendAgainEverybodyServer: 'Send it again if everybody at the server may read it.',
  sendFileAgain: 'Send the file again.',
  serverAnswerNotAgreed: "The server's answer does not have the agreed form.",
  serverAnsweredAnotherDevice: 'The server answered for another device than the one that asked.',
  serverAnsweredOtherKeys: 'The server answered with other keys than those of this code.',
  serverRefusesFormMessage:
    'The server refuses the form of the message, and says that it is the right one for this channel.',
  serverSaysChannelNot:
    'The server says that this channel is not encrypted any more, but this computer knows it as encrypted. Nothing was sent in the clear.',
  serverTookChangeShows: 'The server took the change and still shows the old profile.',
} as const;
