import { create } from 'zustand';

export type SpaceDialog =
  | { readonly type: 'new-space' | 'new-message' | 'invites' }
  /** `link` came from another program; without one, the reader pastes it. */
  | { readonly type: 'join'; readonly link?: string }
  | {
      readonly type: 'new-channel' | 'members' | 'links' | 'rename-space' | 'archive-space' | 'leave-space';
      readonly spaceId: string;
    }
  /** `roomId` is `null` for an invitation to the space. */
  | { readonly type: 'invite'; readonly spaceId: string; readonly roomId: string | null }
  | { readonly type: 'rename-channel' | 'leave-channel' | 'delete-channel'; readonly roomId: string };

export const useSpaceDialog = create<{ dialog: SpaceDialog | null }>(() => ({ dialog: null }));

export const openSpaceDialog = (dialog: SpaceDialog | null): void => useSpaceDialog.setState({ dialog });
