/**
 * Rights in a space. If the server does not report the operator's role, every action is offered and the
 * server decides.
 */
import type { RoomsView } from '../../contract/model.ts';
import { useRooms } from '../state/subscriptions.ts';

export type ShownSpace = RoomsView['spaces'][number];

export const useSpace = (id: string | null): ShownSpace | null =>
  useRooms((view) => view?.spaces.find((space) => space.id === id) ?? null);

export const mayManage = ({ role }: ShownSpace): boolean => role !== 'member';
export const mayOwn = ({ role }: ShownSpace): boolean => role === 'owner' || role === '';
/** An owner has to transfer the space first. */
export const mayLeave = ({ role }: ShownSpace): boolean => role !== 'owner';
