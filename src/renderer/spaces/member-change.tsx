import type { Member } from '../../contract/space-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import type { ShownSpace } from './rights.ts';

export interface MemberChoice {
  readonly member: Member;
  readonly choice: 'admin' | 'member' | 'owner' | 'remove';
}

interface ChangeOf {
  readonly space: ShownSpace;
  readonly change: MemberChoice;
  onDone(): void;
  onClose(): void;
}

/** Returns title, explanation, button label and the notice after success. */
function wordsFor(
  { member, choice }: MemberChoice,
  place: string,
): readonly [string, string, string, string] {
  const who = visibleLine(member.displayName);
  switch (choice) {
    case 'admin':
      return [
        t('spaces.makeAdminTitle', { who }),
        t('spaces.makeAdminHappens', { who, place }),
        t('spaces.makeAdmin'),
        t('spaces.isAdmin', { who }),
      ];
    case 'member':
      return [
        t('spaces.makeMemberTitle', { who }),
        t('spaces.makeMemberHappens', { who, place }),
        t('spaces.makeMember'),
        t('spaces.isMember', { who }),
      ];
    case 'owner':
      return [
        t('spaces.handOverTitle', { who, place }),
        t('spaces.handOverHappens', { who, place }),
        t('spaces.handOver'),
        t('spaces.handedOver', { who, place }),
      ];
    case 'remove':
      return [
        t('spaces.removeTitle', { who, place }),
        t('spaces.removeHappens', { who }),
        t('spaces.remove'),
        t('spaces.removed', { who }),
      ];
  }
}

export function MemberChange({ space, change, onDone, onClose }: ChangeOf) {
  const setRole = useAction('spaces.setRole');
  const remove = useAction('spaces.remove');
  const { member, choice } = change;
  const [title, happens, verb, done] = wordsFor(change, visibleLine(space.name));
  const action = choice === 'remove' ? remove : setRole;
  const run = async (): Promise<void> => {
    const target = { space: space.id, who: member.slug };
    const result = await (choice === 'remove'
      ? remove.run(target)
      : setRole.run({ ...target, role: choice }));
    if (!result.ok) return;
    showNotice(done);
    onDone();
    onClose();
  };
  return (
    <Confirm
      title={title}
      verb={verb}
      danger={choice === 'remove' || choice === 'owner'}
      busy={action.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{happens}</p>
      <ErrorNote error={action.error} />
    </Confirm>
  );
}
