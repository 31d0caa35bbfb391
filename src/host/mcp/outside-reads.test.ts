import { expect, test } from 'vitest';
import { sampleDm } from '../../../test/fakes/message-samples.ts';
import { dmRoomId, mainRoom, type RoomId } from '../../contract/room-id.ts';
import { roomSource } from '../../core/policy/source.ts';
import { OutsideReads } from './outside-reads.ts';

const operator = 'alice-a62c';
const stranger = 'mallory-1b2c';

/** A program of an agent for which a message of the stranger in this room waits. */
function programWith(roomId: RoomId): OutsideReads {
  const message = sampleDm({ senderSlug: stranger, roomId });
  return new OutsideReads(() => ({
    store: { openWork: () => [{ message, priority: 2, rootId: message.envelopeId }] },
    audience: {
      of: async (room) => ({
        roomId: mainRoom(room),
        outsiders: room.startsWith(`dm:${operator}`) ? [] : [stranger],
      }),
      isOwnRoom: (room) => room.startsWith(`dm:${operator}`),
      shares: () => [],
      roomName: (room) => room,
    },
  }));
}

test.each([dmRoomId(stranger), dmRoomId(stranger, 'cv_12345678')])(
  'T9: A program that read a message in %s reads no room of the operator',
  async (roomId) => {
    const reads = programWith(roomId);
    expect(await reads.filter('guide')).toBeUndefined();
    reads.note('guide', [roomSource(roomId)]);
    const mayRead = await reads.filter('guide');
    expect(await mayRead?.(`dm:${operator}`)).toBe(false);
    expect(await mayRead?.(`dm:${operator}~cv_87654321`)).toBe(false);
    expect(await mayRead?.(roomId)).toBe(true);
  },
);
