import type { Member } from '../../contract/space-methods.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';
import { visibleLine } from '../words/visible-text.ts';
import type { Space } from './rights.ts';

export interface MemberChoice {
  readonly member: Member;
  readonly choice: 'admin' | 'member' | 'owner' | 'remove';
}

interface ChangeOf {
  readonly space: Space;
  readonly change: MemberChoice;
  onDone(): void;
  onClose(): void;
}

/** Title, what happens, the button, and what is said when it is done. */
function wordsFor(
  { member, choice }: MemberChoice,
  place: string,
): readonly [string, string, string, string] {
  const who = visibleLine(member.displayName);
  switch (choice) {
    case 'admin':
      return [
        `Make ${who} an admin?`,
        `${who} can then make and rename channels in ${place}, invite and remove members.`,
        'Make admin',
        `${who} is an admin now.`,
      ];
    case 'member':
      return [
        `Make ${who} a plain member?`,
        `${who} stays in ${place} and keeps writing there, but can no longer change it or remove anybody.`,
        'Make a member',
        `${who} is a plain member now.`,
      ];
    case 'owner':
      return [
        `Hand ${place} over to ${who}?`,
        `${place} belongs to ${who} from then on. You become an admin, and only ${who} can give it back.`,
        'Hand over',
        `${place} belongs to ${who} now.`,
      ];
    case 'remove':
      return [
        `Remove ${who} from ${place}?`,
        `${who} leaves all its channels and gets nothing that is written from then on. What ${who} has received stays there.`,
        'Remove',
        `${who} was removed.`,
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
    say(done);
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
