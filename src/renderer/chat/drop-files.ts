import type { Room } from '../../contract/model.ts';
import { useDrop } from '../files/use-files.ts';
import { useSpace } from '../spaces/rights.ts';
import { writingPlace } from '../state/screen.ts';

/**
 * Adds dropped files to the composer of a room or thread; returns `null` if the room is missing or archived.
 */
export function usePlaceDrop(
  room: Room | null,
  threadRootId: string | null,
): ReturnType<typeof useDrop> | null {
  const drop = useDrop(writingPlace(room?.id ?? '', threadRootId));
  const archived = useSpace(room?.spaceId ?? null)?.archived === true;
  return room === null || archived ? null : drop;
}
